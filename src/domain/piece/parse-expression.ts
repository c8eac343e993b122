/**
 * Parsing `when` expressions (spec 1: Extensions): `== != < <= > >= in and or not ( )` over variables and literals.
 * `or` binds least, then `and`, `not`, the comparisons; a list behind `in` stands in ( ) or [ ].
 */
import { EXPRESSION_WORDS } from './expression.ts';
import { FORMS, type Token, tokensOf, Wrong } from './expression-tokens.ts';
import type { Expression } from './types.ts';

type ParsedExpression = { ok: true; expression: Expression } | { ok: false; message: string };
type Operator = Extract<Expression, { kind: 'compare' }>['operator'];

const MAX_LENGTH = 2000;
const MAX_DEPTH = 50;
const OPERATORS: ReadonlySet<string> = new Set<Operator>(['==', '!=', '<', '<=', '>', '>=']);

/** Parses an expression. Messages name the character, counted from 1. Never throws. */
export function parseExpression(text: string): ParsedExpression {
  const source = text.trim();
  if (source === '') return { ok: false, message: `the expression is empty; ${FORMS}` };
  if (source.length > MAX_LENGTH)
    return { ok: false, message: `the expression is longer than ${MAX_LENGTH} characters; use several rules` };
  try {
    return { ok: true, expression: new Parser(tokensOf(source)).parse() };
  } catch (error) {
    if (error instanceof Wrong) return { ok: false, message: error.message };
    throw error;
  }
}

class Parser {
  private readonly tokens: Token[];
  private next = 0;
  private depth = 0;

  constructor(tokens: Token[]) {
    this.tokens = tokens;
  }

  parse(): Expression {
    const expression = this.either();
    const rest = this.peek();
    if (rest.kind !== 'end') throw this.unexpected(rest, 'nothing more, or `and`, `or`');
    return expression;
  }

  private either(): Expression {
    return this.chain('or', () => this.chain('and', () => this.negation()));
  }

  private chain(word: 'and' | 'or', term: () => Expression): Expression {
    const first = term();
    const terms = [first];
    while (this.takeWord(word)) terms.push(term());
    return terms.length === 1 ? first : { kind: word, terms };
  }

  private negation(): Expression {
    if (!this.takeWord('not')) return this.comparison();
    return this.nested(() => ({ kind: 'not', operand: this.negation() }));
  }

  private comparison(): Expression {
    const left = this.operand();
    const token = this.peek();
    if (token.kind === 'sign' && OPERATORS.has(token.text)) {
      this.next += 1;
      const right = this.operand();
      const again = this.peek();
      if (again.kind === 'sign' && OPERATORS.has(again.text))
        throw this.unexpected(again, '`and` between two comparisons');
      return { kind: 'compare', operator: token.text as Operator, left, right, at: token.at };
    }
    if (this.takeWord('in')) return { kind: 'in', value: left, options: this.list(), at: token.at };
    if (token.kind === 'word' && token.text === 'not') {
      this.next += 1;
      if (!this.takeWord('in')) throw this.unexpected(this.peek(), '`in` after `not`');
      return { kind: 'not', operand: { kind: 'in', value: left, options: this.list(), at: token.at } };
    }
    return left;
  }

  private list(): Expression[] {
    const open = this.peek();
    if (!this.takeSign('(') && !this.takeSign('[')) throw this.unexpected(open, 'a list such as ("step", "plan")');
    const close = open.text === '(' ? ')' : ']';
    const options = [this.operand()];
    while (this.takeSign(',')) options.push(this.operand());
    if (!this.takeSign(close)) throw this.unexpected(this.peek(), `\`,\` or \`${close}\``);
    return options;
  }

  private operand(): Expression {
    const token = this.peek();
    this.next += 1;
    switch (token.kind) {
      case 'text':
        return { kind: 'literal', value: token.text, at: token.at };
      case 'number':
        return { kind: 'literal', value: Number(token.text), at: token.at };
      case 'word':
        return this.word(token);
      case 'sign':
        if (token.text === '(') return this.group();
        break;
    }
    throw this.unexpected(token, 'a variable, a quoted text, a number, true or false');
  }

  private word(token: Token): Expression {
    const { at, text } = token;
    if (text === 'true' || text === 'false') return { kind: 'literal', value: text === 'true', at };
    if (text === 'null') return { kind: 'literal', value: null, at };
    if (text !== 'produced' && EXPRESSION_WORDS.has(text)) throw this.unexpected(token, 'a variable or a literal');
    return { kind: 'variable', name: text, at };
  }

  private group(): Expression {
    return this.nested(() => {
      const inner = this.either();
      if (!this.takeSign(')')) throw this.unexpected(this.peek(), '`)`');
      return inner;
    });
  }

  private nested(parse: () => Expression): Expression {
    this.depth += 1;
    if (this.depth > MAX_DEPTH) throw new Wrong(`the expression is nested too deep, at most ${MAX_DEPTH} levels`);
    const inner = parse();
    this.depth -= 1;
    return inner;
  }

  private peek(): Token {
    return this.tokens[Math.min(this.next, this.tokens.length - 1)] as Token;
  }

  private takeWord(word: string): boolean {
    return this.take('word', word);
  }

  private takeSign(sign: string): boolean {
    return this.take('sign', sign);
  }

  private take(kind: Token['kind'], text: string): boolean {
    const token = this.peek();
    if (token.kind !== kind || token.text !== text) return false;
    this.next += 1;
    return true;
  }

  private unexpected(token: Token, expected: string): Wrong {
    const got = token.kind === 'end' ? 'the end' : `\`${token.text.slice(0, 40)}\``;
    return new Wrong(`expected ${expected} at character ${token.at + 1}, got ${got}`);
  }
}
