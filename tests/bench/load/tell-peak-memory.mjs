// Loaded into a program with --import: at its end it writes the most memory that the program had, in bytes, to a file.
import { writeFileSync } from 'node:fs';

process.on('exit', () => {
  const kilobytes = process.resourceUsage().maxRSS;
  writeFileSync(process.env.CENTAVO_BENCH_PEAK_FILE, String(kilobytes * 1024));
});
