/** Findings: true statements about lines that were read, tied to the requirements that need them. */
import type { Finding } from '../../../domain/workplan/schema.ts';
import { bestDefinition, type Evidence, type Opened, relevance } from './evidence.ts';
import type { Language } from './language.ts';
import { planTexts } from './plan-texts.ts';
import { type Asked, namesIn } from './requirements.ts';
import { quote, shared, stemSet } from './text.ts';

const MAX_FINDINGS = 24;

/** Requirements that speak of this file most, at most four. */
function needsOf(file: Opened, requirements: Asked[], evidence: Evidence): string[] {
  return requirements
    .filter((one) => {
      const own = relevance(file, one.stems);
      const best = Math.max(...evidence.opened.map((other) => relevance(other, one.stems)));
      return one.requirement.text.includes(file.path) || (own > 0 && own >= best * 0.75);
    })
    .slice(0, 4)
    .map((one) => one.requirement.id);
}

export function findingsOf(requirements: Asked[], evidence: Evidence, language: Language): Finding[] {
  const texts = planTexts(language);
  const wanted = new Set(requirements.flatMap((one) => [...one.stems]));
  const findings: Finding[] = [];
  const add = (text: string, path: string, startLine: number, endLine: number) => {
    const known = findings.some((one) => one.path === path && one.startLine === startLine && one.endLine === endLine);
    if (!known && findings.length < MAX_FINDINGS) findings.push({ text: quote(text, 900), path, startLine, endLine });
  };
  for (const file of evidence.opened) {
    const needs = needsOf(file, requirements, evidence);
    if (file.area === 'docs' || file.area === 'config') {
      const line = closestLine(file, wanted);
      if (line !== null && line.score > (file.area === 'docs' ? 1 : 2))
        add(texts.document(quote(line.text, 200), needs), file.path, line.line, line.line);
      continue;
    }
    if (file.area === 'test') {
      const count = (file.text.match(/^\s*(?:test|it|describe)\s*\(|^\s*(?:async\s+)?def test_|^func Test/gm) ?? [])
        .length;
      if (count > 0) add(texts.tests(file.path, count, needs), file.path, ...testLines(file, wanted));
      continue;
    }
    const best = bestDefinition(file, wanted);
    if (best)
      add(
        texts.definition(best.definition, file.path, quote(best.comment, 240), needs),
        file.path,
        best.definition.startLine,
        best.definition.endLine,
      );
    for (const named of file.definitions) {
      // A name that the item itself uses is worth a finding of its own.
      if (
        requirements.some((one) => one.requirement.text.includes(`\`${named.name}\``)) &&
        named.name !== best?.definition.name &&
        file.definitions.findIndex((other) => other.name === named.name) === file.definitions.indexOf(named)
      ) {
        add(texts.definition(named, file.path, '', needs), file.path, named.startLine, named.endLine);
      }
    }
    const route = [...file.routes].sort(
      (a, b) => shared(stemSet(b.route), wanted).length - shared(stemSet(a.route), wanted).length,
    )[0];
    if (route && shared(stemSet(route.route), wanted).length > 0)
      add(texts.route(quote(route.route, 150), needs), file.path, route.line, route.line);
  }
  for (const name of namesIn(requirements.map((one) => one.requirement.text).join('\n')).slice(0, 12)) {
    if (!/^[A-Za-z_]\w{3,}$/.test(name) || findings.some((one) => one.text.startsWith(`\`${name}\``))) continue;
    const about = requirements.filter((one) => one.requirement.text.includes(name));
    const needs = about.map((one) => one.requirement.id);
    const file = whereNamed(name, new Set(about.flatMap((one) => [...one.stems])), evidence);
    const line = file?.text.split('\n').findIndex((text) => text.includes(name)) ?? -1;
    if (file && line >= 0) {
      const shown = quote(file.text.split('\n')[line] ?? '', 160);
      add(texts.mention(name, shown, needs.slice(0, 4)), file.path, line + 1, line + 1);
    }
  }
  return findings;
}

/** The test that speaks most of what is wanted, with what follows it; never more than can be cited. */
function testLines(file: Opened, wanted: ReadonlySet<string>): [number, number] {
  const lines = file.text.split('\n');
  const starts = lines.flatMap((text, index) =>
    /^\s*(?:test|it|describe)\s*\(|^\s*(?:async\s+)?def test_|^func Test/.test(text) ? [index] : [],
  );
  const best = starts
    .map((start) => ({ start, score: shared(stemSet(lines[start] ?? ''), wanted).length }))
    .sort((a, b) => b.score - a.score || a.start - b.start)[0];
  const start = best?.start ?? 0;
  const next = starts.find((other) => other > start) ?? Math.min(lines.length, start + 40);
  return [start + 1, Math.max(start + 1, Math.min(next, start + 60, lines.length))];
}

/** Those on files that the units change or that name a requirement's own words, and not more of the rest than help. */
export function relevantFindings(findings: Finding[], touched: ReadonlySet<string>): Finding[] {
  const own = findings.filter((one) => touched.has(one.path));
  const others = findings.filter((one) => !touched.has(one.path)).slice(0, Math.max(2, 5 - own.length));
  return findings.filter((one) => own.includes(one) || others.includes(one));
}

/** The file that holds a name and speaks most of what it is needed for; null when no code that was read holds it. */
export function whereNamed(name: string, about: ReadonlySet<string>, evidence: Evidence): Opened | null {
  const holding = evidence.opened.filter(
    (one) => one.area !== 'docs' && one.area !== 'test' && one.text.includes(name),
  );
  return holding.sort((a, b) => relevance(b, about) - relevance(a, about))[0] ?? null;
}

function closestLine(file: Opened, wanted: ReadonlySet<string>): { text: string; line: number; score: number } | null {
  let best: { text: string; line: number; score: number } | null = null;
  for (const [index, text] of file.text.split('\n').entries()) {
    const score = shared(stemSet(text), wanted).length;
    if (score > 0 && text.length < 400 && (best === null || score > best.score))
      best = { text: text.trim(), line: index + 1, score };
  }
  return best;
}
