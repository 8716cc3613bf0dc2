import type { MigrationFile } from './migration-files.js';
import type { AppliedMigration } from './read-migration-state.js';

/**
 * Decides which files are still to be applied. Pure.
 *
 * @param files in order, as this build has them. @param applied as the database has them.
 * @returns the files that remain, in order.
 * @throws Error when an applied file was changed or is unknown to this build, or when one would have to slip in before an applied one.
 */
export function planMigrations(options: { files: MigrationFile[]; applied: AppliedMigration[] }): MigrationFile[] {
  const { files, applied } = options;
  const known = new Map(files.map((file) => [file.name, file]));
  for (const { name, sha256 } of applied) {
    const file = known.get(name);
    if (file === undefined) {
      throw new Error(
        `The database has migration ${name}, which this version does not know. Run the version that made it, or a newer one.`,
      );
    }
    if (file.sha256 !== sha256) {
      throw new Error(
        `Migration ${name} was changed after it was applied. Restore it, and put the change into a new migration.`,
      );
    }
  }
  const appliedNames = new Set(applied.map((migration) => migration.name));
  const pending = files.filter((file) => !appliedNames.has(file.name));
  const first = pending[0];
  const late = first && applied.find((migration) => migration.name > first.name);
  if (first !== undefined && late !== undefined) {
    throw new Error(
      `Migration ${first.name} comes before ${late.name}, which is already applied. Give it a higher number.`,
    );
  }
  return pending;
}
