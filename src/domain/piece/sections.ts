/** The sections of a prompt that depend on the piece alone (spec 1: Prompt of a movement, 7 and 8, and the data section). */
import { z } from 'zod';
import { DATA_SCHEMAS, type DataKind } from '../workplan/data-kinds.ts';
import { conditionText } from './condition.ts';
import { offeredRules } from './rules.ts';
import { type EngineTexts, engineTexts } from './texts.ts';
import type { AgentMovement, InputSchema, PropertyShape, ReportSpec, Rule } from './types.ts';

type Language = 'en' | 'ja';

/** Reports, data and status as one text; empty without any. Built once for a movement and kind of run. */
export function closingSections(movement: AgentMovement, language: Language, interactive: boolean): string {
  const key = `${language}${interactive ? '+' : '-'}`;
  const kept = built.get(movement) ?? new Map<string, string>();
  const known = kept.get(key);
  if (known !== undefined) return known;
  const texts = engineTexts(language);
  const text = [
    movement.report === undefined ? '' : reportSection(movement.report, texts),
    movement.produces.length === 0 ? '' : dataSection(movement.produces, texts),
    movement.inputs === undefined ? '' : inputsSection(movement.inputs, texts),
    statusSection(movement.rules, interactive, texts),
  ]
    .filter((section) => section !== '')
    .join('\n\n');
  kept.set(key, text);
  built.set(movement, kept);
  return text;
}

/** A movement is never changed once it is loaded, so its texts can be kept as long as it lives. */
const built = new WeakMap<AgentMovement, Map<string, string>>();

function reportSection(report: ReportSpec, texts: EngineTexts): string {
  const lines = ['---', texts.reportTitle];
  if (report.form === 'list') {
    lines.push(...texts.reportList, '');
    lines.push(...report.files.map((file, index) => texts.reportEntry(index + 1, file.label, file.name)));
    return lines.join('\n');
  }
  lines.push(...texts.reportSingle, '', `${texts.reportFile}: ${report.name}`);
  if (report.order !== undefined) lines.push(`${texts.reportOrder}:`, report.order.trimEnd());
  if (report.format !== undefined) lines.push(`${texts.reportFormat}:`, report.format.trimEnd());
  return lines.join('\n');
}

function dataSection(kinds: DataKind[], texts: EngineTexts): string {
  const parts = kinds.map((kind) => `${texts.dataKind(kind)} ${jsonSchema(kind)}`);
  return ['---', texts.dataTitle, texts.dataIntro(kinds), '', ...parts].join('\n');
}

/** Which values the agent hands over; empty when it may hand over none. */
function inputsSection(inputs: InputSchema, texts: EngineTexts): string {
  const described = new Map(inputs.properties.map((property) => [property.name, property]));
  const names = new Set([...inputs.globals, ...inputs.properties].map(({ name }) => name));
  if (names.size === 0) return '';
  const lines = [...names].map((name) => {
    const variable = inputs.globals.find((candidate) => candidate.name === name);
    const { description, shape } = described.get(name) ?? {};
    const allowed = variable?.values ?? shape?.enum;
    const need = inputs.required.includes(name) ? texts.inputsRequired : texts.inputsOptional;
    const values = allowed === undefined ? '' : `: ${allowed.map((value) => JSON.stringify(value)).join(' | ')}`;
    const limits = shape === undefined ? '' : boundsOf(shape);
    const what = description === undefined ? '' : ` — ${description}`;
    return `- \`${name}\` (${variable?.type ?? shape?.type}, ${need})${values}${limits}${what}`;
  });
  return ['---', texts.inputsTitle, texts.inputsIntro, '', ...lines].join('\n');
}

function boundsOf({ items, maximum, maxLength, minimum, minLength }: PropertyShape): string {
  const bounds = Object.entries({ minimum, maximum, minLength, maxLength, items }).filter(([, is]) => is !== undefined);
  return bounds.length === 0 ? '' : ` ${JSON.stringify(Object.fromEntries(bounds))}`;
}

/** Which rules are offered as tags, each with its appendix; empty when none is. */
export function statusSection(rules: Rule[], interactive: boolean, texts: EngineTexts): string {
  const offered = offeredRules(rules, interactive);
  if (offered.length === 0) return '';
  const lines = ['---', texts.statusTitle, ...texts.statusIntro, ''];
  for (const rule of offered) {
    lines.push(`[STEP:${rule.index}] = ${conditionText(rule.condition)}`);
    if (rule.appendix !== undefined && rule.appendix.trim() !== '') lines.push(rule.appendix.trimEnd());
  }
  return lines.join('\n');
}

const schemas = new Map<DataKind, string>();

/** The kind's JSON Schema on one line, without what says nothing to a model. */
function jsonSchema(kind: DataKind): string {
  let text = schemas.get(kind);
  if (text === undefined) {
    const { $schema: _, ...schema } = z.toJSONSchema(DATA_SCHEMAS[kind], { io: 'input', unrepresentable: 'any' });
    // The bound of whole numbers that can be held exactly.
    text = JSON.stringify(schema).replaceAll(`,"maximum":${Number.MAX_SAFE_INTEGER}`, '');
    schemas.set(kind, text);
  }
  return text;
}
