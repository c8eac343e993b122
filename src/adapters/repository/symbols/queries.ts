/** What counts as a definition in each language: the node by its kind, and in it the `@name`. */

export type GrammarName = keyof typeof definitionQueries;

const javascript = `
  (function_declaration name: (identifier) @name) @function
  (generator_function_declaration name: (identifier) @name) @function
  (method_definition name: [(property_identifier) (private_property_identifier)] @name) @method
  (variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression)]) @function
  (program (lexical_declaration (variable_declarator name: (identifier) @name) @constant))
  (export_statement (lexical_declaration (variable_declarator name: (identifier) @name) @constant))
  (assignment_expression
    left: (member_expression property: (property_identifier) @name)
    right: [(arrow_function) (function_expression)]) @function
  (assignment_expression
    left: (member_expression property: (property_identifier) @name) right: (class)) @class
  (pair key: (property_identifier) @name value: [(arrow_function) (function_expression)]) @method
`;
const typescript = `
  ${javascript}
  (class_declaration name: (type_identifier) @name) @class
  (abstract_class_declaration name: (type_identifier) @name) @class
  (interface_declaration name: (type_identifier) @name) @interface
  (type_alias_declaration name: (type_identifier) @name) @type
  (enum_declaration name: (identifier) @name) @type
  (function_signature name: (identifier) @name) @function
  (abstract_method_signature name: (property_identifier) @name) @method
  (public_field_definition name: (property_identifier) @name value: (arrow_function)) @method
`;
const c = `
  (function_definition declarator: (function_declarator declarator: (identifier) @name)) @function
  (function_definition
    declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))) @function
  (struct_specifier name: (type_identifier) @name body: (_)) @class
  (union_specifier name: (type_identifier) @name body: (_)) @class
  (enum_specifier name: (type_identifier) @name body: (_)) @type
  (type_definition declarator: (type_identifier) @name) @type
  (preproc_def name: (identifier) @name) @constant
  (preproc_function_def name: (identifier) @name) @function
`;

export const definitionQueries = {
  javascript: `${javascript}
    (class_declaration name: (identifier) @name) @class`,
  typescript,
  tsx: typescript,
  python: `
    (class_definition name: (identifier) @name) @class
    (function_definition name: (identifier) @name) @function
    (module (expression_statement (assignment left: (identifier) @name)) @constant)`,
  go: `
    (function_declaration name: (identifier) @name) @function
    (method_declaration name: (field_identifier) @name) @method
    (type_spec name: (type_identifier) @name type: (interface_type)) @interface
    (type_spec name: (type_identifier) @name) @type
    (type_alias name: (type_identifier) @name) @type
    (const_spec name: (identifier) @name) @constant
    (source_file (var_declaration (var_spec name: (identifier) @name) @constant))`,
  ruby: `
    (class name: [(constant) (scope_resolution)] @name) @class
    (module name: [(constant) (scope_resolution)] @name) @class
    (method name: (_) @name) @method
    (singleton_method name: (_) @name) @method
    (assignment left: (constant) @name) @constant`,
  java: `
    (class_declaration name: (identifier) @name) @class
    (record_declaration name: (identifier) @name) @class
    (interface_declaration name: (identifier) @name) @interface
    (annotation_type_declaration name: (identifier) @name) @interface
    (enum_declaration name: (identifier) @name) @type
    (method_declaration name: (identifier) @name) @method
    (constructor_declaration name: (identifier) @name) @method`,
  rust: `
    (function_item name: (identifier) @name) @function
    (function_signature_item name: (identifier) @name) @function
    (struct_item name: (type_identifier) @name) @class
    (union_item name: (type_identifier) @name) @class
    (enum_item name: (type_identifier) @name) @type
    (type_item name: (type_identifier) @name) @type
    (trait_item name: (type_identifier) @name) @interface
    (mod_item name: (identifier) @name) @other
    (const_item name: (identifier) @name) @constant
    (static_item name: (identifier) @name) @constant
    (macro_definition name: (identifier) @name) @function`,
  c,
  cpp: `
    ${c}
    (class_specifier name: (type_identifier) @name body: (_)) @class
    (function_definition declarator: (function_declarator declarator: (field_identifier) @name)) @method
    (function_definition
      declarator: (function_declarator declarator: (qualified_identifier name: (_) @name))) @method
    (function_definition
      declarator: (reference_declarator (function_declarator declarator: (qualified_identifier name: (_) @name)))) @method
    (function_definition
      declarator: (pointer_declarator
        declarator: (function_declarator declarator: (qualified_identifier name: (_) @name)))) @method
    (alias_declaration name: (type_identifier) @name) @type`,
  php: `
    (function_definition name: (name) @name) @function
    (class_declaration name: (name) @name) @class
    (interface_declaration name: (name) @name) @interface
    (trait_declaration name: (name) @name) @class
    (enum_declaration name: (name) @name) @type
    (method_declaration name: (name) @name) @method
    (const_element (name) @name) @constant`,
  c_sharp: `
    (class_declaration name: (identifier) @name) @class
    (struct_declaration name: (identifier) @name) @class
    (record_declaration name: (identifier) @name) @class
    (interface_declaration name: (identifier) @name) @interface
    (enum_declaration name: (identifier) @name) @type
    (delegate_declaration name: (identifier) @name) @type
    (method_declaration name: (identifier) @name) @method
    (constructor_declaration name: (identifier) @name) @method
    (property_declaration name: (identifier) @name) @method`,
} as const satisfies Record<string, string>;
