/** Variables, inputs, teleports and budgets of a checked piece as the engine reads them (spec 1: Extensions). */
import { declarations } from './declarations.ts';
import type { InputSchemaFile, PieceFile, PropertyFile } from './schema.ts';
import type { Budget, InputSchema, PropertyShape, Teleport, Variable } from './types.ts';
import { readValue } from './variables.ts';

export function toVariables(file: PieceFile['variables']): Variable[] {
  return declarations(file).flatMap(({ variable }) => (variable === null ? [] : [variable]));
}

/** A name under `globalInputs` may be described among the properties as well: it stays a variable. */
export function toInputs(file: InputSchemaFile, variables: Variable[]): InputSchema {
  const written = (file.globalInputs ?? []).map((name) => name.trim());
  const properties = Object.entries(file.properties ?? {});
  return {
    globals: variables.filter((variable) => written.includes(variable.name)),
    properties: properties.map(([name, property]) => ({
      name,
      ...(property.description === undefined ? {} : { description: property.description.trim() }),
      shape: toShape(property),
    })),
    required: [...new Set((file.required ?? []).map((name) => name.trim()))],
  };
}

function toShape({ description: _, ...file }: PropertyFile): PropertyShape {
  const { enum: allowed, items, maximum, maxLength, minimum, minLength, type } = file;
  return {
    type,
    ...(allowed === undefined
      ? {}
      : { enum: allowed.map((value) => readValue(value, type)).filter((value) => value !== null) }),
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
    ...(minLength === undefined ? {} : { minLength }),
    ...(maxLength === undefined ? {} : { maxLength }),
    ...(items === undefined ? {} : { items: toShape(items) }),
  };
}

export function toTeleports(file: NonNullable<PieceFile['teleports']>): Teleport[] {
  return file.map(({ completion_condition: completionCondition, ...teleport }) => ({
    ...teleport,
    completionCondition,
  }));
}

export function toBudget(file: PieceFile['budget']): { budget?: Budget } {
  if (file === undefined) return {};
  const { money, tokens } = file;
  return {
    budget: { ...(tokens === undefined ? {} : { tokens }), ...(money === undefined ? {} : { money }) },
  };
}
