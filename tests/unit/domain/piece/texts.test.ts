import { expect, test } from 'vitest';
import { type EngineTexts, engineTexts } from '../../../../src/domain/piece/texts.ts';

/** Every text of a language, with samples for what is put into it. */
function spoken(texts: EngineTexts): Record<string, string> {
  const { dataIntro, dataKind, movementIteration, reportEntry, ...plain } = texts;
  return {
    ...Object.fromEntries(Object.entries(plain).map(([name, text]) => [name, [text].flat().join('\n')])),
    dataIntroOne: dataIntro(['a']),
    dataIntroSeveral: dataIntro(['a', 'b']),
    dataKind: dataKind('a'),
    movementIteration: movementIteration(3),
    reportEntry: reportEntry(1, 'L', 'f.md'),
  };
}

const japanese = /[\u3041-\u30ff\u4e00-\u9fff]/;
const en = spoken(engineTexts('en'));
const ja = spoken(engineTexts('ja'));

test('both languages say everything', () => {
  expect(Object.keys(ja).sort()).toEqual(Object.keys(en).sort());
  expect(Object.entries({ ...en, ...ja }).filter(([, text]) => text.trim() === '')).toEqual([]);
});

test.each(Object.keys(en).filter((name) => name !== 'movement'))('%s is said in its language', (name) => {
  expect(en[name]).not.toMatch(japanese);
  expect(ja[name]).toMatch(japanese);
});

test('what is put in stands there in both', () => {
  for (const texts of [en, ja]) {
    expect(texts['movementIteration']).toContain('3');
    expect(texts['reportEntry']).toMatch(/1\..*L.*f\.md/);
    expect(texts['dataKind']).toContain('```json:a');
    expect(texts['loopDefault']).toContain('{cycle_count}');
    expect(texts['inputsIntro']).toContain('```json:inputs');
    expect(texts['dataIntroOne']).not.toBe(texts['dataIntroSeveral']);
  }
});
