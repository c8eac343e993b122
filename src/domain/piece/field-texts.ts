type Part =
  | 'piece'
  | 'movement'
  | 'rule'
  | 'report'
  | 'monitor'
  | 'judge'
  | 'variable'
  | 'inputs'
  | 'property'
  | 'teleport'
  | 'budget';

/** What each field of a piece file means, in a sentence: shown by editors, and checked to be complete by a test. */
export const FIELD_TEXTS: Record<Part, Record<string, string>> = {
  piece: {
    name: "The piece's name.",
    description: 'One paragraph for people.',
    max_iterations: 'How many movements may run before the run is aborted; 10 when left out.',
    initial_movement: 'The movement a run begins with; the first when left out.',
    movements: 'The steps of the piece. Names are unique, sub-movements included.',
    loop_monitors: 'Judges that step in when movements go in circles.',
    language: "Language of the engine's own text in prompts; `ja` when the piece's texts contain kana, else `en`.",
    answer_agent: 'Accepted for pieces of other tools; not used.',
    timeout: 'Wall-clock limit of a run: seconds, or a text such as 90s, 10m, 1h.',
    max_parallel: 'How many sub-movements run at the same time, where a movement does not say it itself.',
    budget: 'Limits of what a run may use.',
    variables: 'Declared values that movements write and `when` rules read.',
    teleports: 'Entries into the piece from outside, for replanning.',
  },
  movement: {
    name: 'Unique in the piece; any script, digits, spaces and brackets.',
    description: 'For people; not part of the prompt.',
    agent: 'Path of the agent prompt, relative to the piece file; `~` is the home folder.',
    agent_name: "The name shown to people; the agent file's base name when left out.",
    provider: 'Whose model is asked, where the operator offers it: anthropic, openai, google or compatible.',
    model: 'The model that is asked, where the operator offers it.',
    edit: 'May the agent change things? `false` when left out.',
    permission_mode: '`edit` or `full` with `edit: true`, `readonly` with `edit: false`.',
    session: '`continue` goes on with the conversation, `refresh` begins a new one.',
    pass_previous_response: "Adds the previous movement's output to the prompt; `true` when left out.",
    allowed_tools: 'Narrows the tools as far as it names some that exist here.',
    instruction_template: 'The instructions, with variables such as {task} and {previous_response}.',
    report: 'One report (a file name, or `name` with `format`), or a list of `Label: file`.',
    rules: 'What the result may be and where the run goes then.',
    parallel: 'Sub-movements that run together: this movement then runs no agent of its own.',
    gate: 'No agent: the run waits for people. Rules: `continued`, or `approved` and `rejected`.',
    action: 'No agent: the service does it. Rules: `done`, `failed`.',
    produces: 'Kinds of data of which the agent gives exactly one, as a fence `json:KIND`.',
    on_failure: 'Where to go instead of aborting when this movement failed for good: a movement or COMPLETE.',
    timeout: 'Wall-clock limit of this movement: seconds, or a text such as 90s, 10m, 1h.',
    max_parallel: 'How many of the sub-movements run at the same time.',
    budget: 'Limits of what this movement may use.',
    inputSchema: 'Which variables this movement writes, and what else its data holds.',
  },
  rule: {
    condition: 'A text, `ai("…")`, or on a parallel movement `all("…")` or `any("…")`.',
    when: 'An expression over variables, in place of `condition`: decided without a model.',
    next: 'A movement, COMPLETE or ABORT; on a sub-movement ignored.',
    requires_user_input: 'People are asked, then the same movement runs again.',
    interactive_only: 'The rule exists only when people can answer.',
    appendix: "Text shown under this rule in the prompt's status section.",
  },
  report: {
    name: "The report's file name, without folders.",
    format: 'The format shown to the agent, or the path of a file that holds it.',
    order: 'Further instructions for the report.',
  },
  monitor: {
    cycle: 'The movements that make up the circle, in order.',
    threshold: 'How often the circle runs before the judge steps in; 3 when left out.',
    judge: 'Who decides whether the circle is worth going on.',
  },
  judge: {
    agent: "Path of the judge's agent prompt.",
    instruction_template: "The judge's instructions; {cycle_count} is how often the cycle ran.",
    rules: 'What the judgement may be and where the run goes then.',
  },
  variable: {
    name: "The variable's name.",
    type: 'Which values it has.',
    values: 'The allowed values; any of the type when left out.',
    description: 'For the agents that write it.',
  },
  inputs: {
    type: 'Always `object`.',
    globalInputs: 'Variables of the piece that this movement writes.',
    properties: 'Further values that are handed over and stay with the movement.',
    required: 'Which of both must be handed over.',
  },
  property: {
    type: 'Which values it has.',
    description: 'For the agent that gives it.',
    enum: 'The allowed values.',
    minimum: 'The least number.',
    maximum: 'The greatest number.',
    minLength: 'The least number of characters.',
    maxLength: 'The greatest number of characters.',
    items: 'What the entries of a list are.',
  },
  teleport: {
    name: "The entry's name; no rule can lead to it.",
    hint: 'When it is the right entry.',
    directive: 'What the movement that is entered is to do.',
    completion_condition: 'When the revision is complete.',
    next: 'The movement whose agent revises the plan.',
  },
  budget: { tokens: 'Tokens at most.', money: 'Money at most.' },
};
