/** Preloaded into the processes of the chaos suite: whatever becomes of who started them, they end with it. */
const { ppid } = process;
setInterval(() => {
  if (process.ppid !== ppid) process.exit(1);
}, 500).unref();
