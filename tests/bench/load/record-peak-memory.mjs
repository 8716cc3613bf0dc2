// Loaded into a program with --import. On exit it writes the peak memory of the program, in bytes, to a file.
import { writeFileSync } from 'node:fs';

process.on('exit', () => {
  const kilobytes = process.resourceUsage().maxRSS;
  writeFileSync(process.env.CENTAVO_BENCH_PEAK_FILE, String(kilobytes * 1024));
});
