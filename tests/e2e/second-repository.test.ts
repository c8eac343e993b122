import { afterAll, beforeAll, expect, test } from 'vitest';
import type { StatusAnswer } from '../../src/app/status.ts';
import { openScene, type Scene } from '../helpers/scene.ts';
import { startTestService, type TestService } from '../helpers/service.ts';

/** A Python library that has nothing in common with the sample. */
const FILES: Record<string, string> = {
  'README.md': '# Greenhouse\n\nReads sensors and opens windows. Run `pytest`.\n',
  'pyproject.toml':
    '[project]\nname = "greenhouse"\nversion = "1.4.0"\n\n[tool.pytest.ini_options]\ntestpaths = ["tests"]\n',
  'greenhouse/__init__.py': '',
  'greenhouse/sensors.py': `"""Reading of temperature and humidity."""


class SensorError(Exception):
    """A sensor did not answer."""


def read_humidity(bus, address):
    """Percent of relative humidity, as the sensor at this address measures it."""
    raw = bus.read(address, 2)
    if raw is None:
        raise SensorError(address)
    return raw / 655.35


def read_temperature(bus, address):
    raw = bus.read(address, 0)
    if raw is None:
        raise SensorError(address)
    return raw / 100 - 40
`,
  'greenhouse/windows.py': `"""The motors of the roof windows."""

MAX_OPEN = 100


def open_windows(motors, percent):
    """Opens every window by so many percent."""
    for motor in motors:
        motor.move(min(percent, MAX_OPEN))
`,
  'greenhouse/controller.py': `from greenhouse.sensors import read_temperature
from greenhouse.windows import open_windows


def step(bus, motors, address, limit):
    """One round: opens the windows when it is too warm."""
    if read_temperature(bus, address) > limit:
        open_windows(motors, 50)
`,
  'tests/test_windows.py': `from greenhouse.windows import open_windows


def test_never_more_than_fully_open(motor):
    open_windows([motor], 150)
    assert motor.percent == 100
`,
};

const ISSUE = {
  title: 'Open the windows when the air is too humid',
  author: 'maria',
  description: `Mould grew twice this winter, because the windows open by temperature only.

## Requirements

- \`step\` in \`greenhouse/controller.py\` must also open the windows when \`read_humidity\` is above a limit.
- \`open_windows\` must log every movement of a motor.
- A sensor that does not answer must not stop the round: \`SensorError\` is logged and the other sensor decides.

## Acceptance criteria

- [ ] With 95 % humidity and 10 degrees the windows open.
- [ ] With a broken humidity sensor and 40 degrees the windows open.

Not decided yet: who may change the humidity limit (gardeners? visitors?).
`,
};

let service: TestService;
let scene: Scene;
let asked: StatusAnswer;
let ended: StatusAnswer;

beforeAll(async () => {
  service = await startTestService();
  scene = await openScene(service, { path: 'acme/garden/greenhouse', files: FILES, issues: [ISSUE] });
  await scene.as('alice').comment(1, '/workplan plan');
  asked = await scene.reach(1, 'NEEDS_INPUT', 'COMPLETED', 'FAILED');
  const question = scene.ours(1).find((note) => note.body.includes('kind=question'));
  await scene.as('bob').reply(1, question?.discussionId ?? '', '1');
  await scene.as('alice').act(1, 'continue');
  ended = await scene.reach(1, 'COMPLETED', 'FAILED');
});
afterAll(() => service.stop());

test('the question is about what this item leaves open', () => {
  expect(asked.generationStatus).toBe('NEEDS_INPUT');
  expect(asked.questions.map((question) => question.question)).toEqual([expect.stringContaining('humidity limit')]);
});

test('every finding cites a file of this repository, at its commit and with lines that exist', () => {
  const commit = service.sandbox.state.project(scene.id).branches.get('main');
  const findings = ended.workplan?.findings ?? [];
  expect(findings.length).toBeGreaterThan(0);
  for (const finding of findings) {
    expect(Object.keys(FILES)).toContain(finding.path);
    expect(finding.commit).toBe(commit);
    expect(finding.endLine).toBeLessThanOrEqual((FILES[finding.path] ?? '').split('\n').length);
  }
});

test('units change the files that the item is about, and say what is new', () => {
  const files = (ended.workplan?.units ?? []).flatMap((unit) => unit.files);
  expect(files.map((file) => file.path)).toEqual(
    expect.arrayContaining(['greenhouse/controller.py', 'greenhouse/windows.py']),
  );
  for (const file of files) expect(file.state === 'existing', file.path).toBe(FILES[file.path] !== undefined);
});

test('units and acceptance criteria speak of this item, verified as this repository does', () => {
  const said = JSON.stringify(ended.workplan?.units);
  expect(said).toMatch(/humidity/);
  expect(said).toMatch(/95 %/);
  expect(said).toMatch(/pytest/);
  expect(said).not.toMatch(/order|npm|tracking/i);
});

test('the answer is a confirmed decision', () => {
  expect(ended.generationStatus).toBe('COMPLETED');
  expect(ended.workplan?.decisions).toContainEqual(
    expect.objectContaining({ questionId: asked.questions[0]?.id, confirmed: true }),
  );
});
