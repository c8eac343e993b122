/** The sandbox's page of an issue after a whole plan, as people see it in a browser. */
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ASKING_ISSUE, SMALL_FILES } from '../fixtures/small-project.ts';
import { openScene, type Scene } from '../helpers/scene.ts';
import { startTestService, type TestService } from '../helpers/service.ts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
// Expressions for the page are texts: the project's code knows no DOM.
const executablePath = findChromium();
if (executablePath === null) {
  console.warn(`browser: skipped: none of ${NAMES.join(', ')} is on PATH; install one, e.g. apt-get install chromium`);
}

function findChromium(): string | null {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter).filter((folder) => folder !== '');
  const places = NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  return places.find(isExecutable) ?? null;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const HOSTILE =
  '<script>document.title = "owned"</script> <img src=x onerror="document.title = \'owned\'"> [x](javascript:alert(1))';

describe.skipIf(executablePath === null)('the issue after a plan', () => {
  let service: TestService;
  let browser: Browser;
  let scene: Scene;

  beforeAll(async () => {
    service = await startTestService();
    scene = await openScene(service, { files: SMALL_FILES, issues: [ASKING_ISSUE] });
    const alice = scene.as('alice');
    await alice.comment(1, HOSTILE);
    await alice.act(1, 'plan');
    await scene.reach(1, 'NEEDS_INPUT');
    await alice.act(1, 'continue');
    await scene.reach(1, 'COMPLETED');
    // The page is made by this very test run: the sandbox of Chromium needs privileges that containers do not give.
    browser = await chromium.launch({ executablePath: executablePath ?? '', args: ['--no-sandbox'] });
  });

  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  async function open(
    width: number,
    colorScheme: 'light' | 'dark' = 'light',
  ): Promise<{ page: Page; errors: string[] }> {
    const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme });
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    await page.goto(`${service.sandbox.url}/${scene.path}/-/issues/1`, { waitUntil: 'load' });
    return { page, errors };
  }

  test('shows the question, the Workplan and who planned', async () => {
    const { page, errors } = await open(1280);

    const notes = page.locator('.note');

    expect(await notes.filter({ hasText: 'How to answer' }).count()).toBe(1);
    expect(await notes.filter({ hasText: 'The Workplan is ready.' }).isVisible()).toBe(true);
    expect(await notes.filter({ hasText: 'offline (rule-based)' }).count()).toBeGreaterThanOrEqual(2);
    expect(errors).toEqual([]);
    await page.close();
  });

  test('runs no script and asks no other server', async () => {
    const { page } = await open(1280);

    const asked = await page.evaluate<string[]>("performance.getEntriesByType('resource').map((entry) => entry.name)");

    expect(await page.locator('script').count()).toBe(0);
    expect(await page.title()).not.toBe('owned');
    expect(await page.locator('a[href^="javascript:"]').count()).toBe(0);
    expect(asked.filter((url) => !url.startsWith(service.sandbox.url))).toEqual([]);
    await page.close();
  });

  test.each([360, 768, 1280])('at %d pixels nothing has to be scrolled sideways', async (width) => {
    const { page } = await open(width);

    const over = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

    expect(over).toBe(0);
    await page.close();
  });

  test('text can be read in light and in dark', async () => {
    for (const scheme of ['light', 'dark'] as const) {
      const { page } = await open(1280, scheme);

      const [text, back] = await page.evaluate<string[]>(
        '[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]',
      );

      expect(contrast(text ?? '', back ?? ''), scheme).toBeGreaterThan(7);
      expect(luminance(back ?? '') > 0.5, scheme).toBe(scheme === 'light');
      await page.close();
    }
  });
});

/** As WCAG 2 defines it, of a colour as browsers compute it: `rgb(r, g, b)`. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = (color.match(/\d+/g) ?? []).map((part) => {
    const share = Number(part) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(a: string, b: string): number {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}
