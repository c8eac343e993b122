/**
 * Measures a contestant the same way for all: a warm-up, then rounds of `runs` with `atOnce` at a time, then runs alone.
 * `contestant.run(number)` does one whole run. Answers figures: runs/s of each round, latencies in milliseconds, memory in MB.
 */
export async function measure(contestant, { runs, atOnce, rounds, alone, warmUp }) {
  let number = 0;
  const round = async (count, parallel) => {
    const latencies = [];
    let left = count;
    const started = performance.now();
    const lane = async () => {
      while (left > 0) {
        left -= 1;
        number += 1;
        const from = performance.now();
        await contestant.run(number);
        latencies.push(performance.now() - from);
      }
    };
    await Promise.all(Array.from({ length: parallel }, lane));
    const seconds = (performance.now() - started) / 1000;
    latencies.sort((a, b) => a - b);
    const at = (share) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))];
    return { runsPerSecond: count / seconds, p50: at(0.5), p99: at(0.99) };
  };
  await round(warmUp, atOnce);
  const loaded = [];
  for (let index = 0; index < rounds; index += 1) loaded.push(await round(runs, atOnce));
  const single = await round(alone, 1);
  loaded.sort((a, b) => a.runsPerSecond - b.runsPerSecond);
  const median = loaded[Math.floor(loaded.length / 2)];
  return {
    name: contestant.name,
    runsPerSecond: median.runsPerSecond,
    rounds: loaded.map((one) => one.runsPerSecond),
    p50: median.p50,
    p99: median.p99,
    aloneP50: single.p50,
    aloneP99: single.p99,
    rssMb: process.memoryUsage().rss / 1024 / 1024,
  };
}

export const OUTPUT = 'A sentence of forty characters, no more. '.repeat(50).slice(0, 2000);
