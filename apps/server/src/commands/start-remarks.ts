import type { Config } from '../config/env.js';
import type { LoginFault } from '../database/login-faults.queries.js';

/** Returns what an operator should know before the welcome: warnings, and a demo that was requested and is not there. Pure. */
export function startRemarks(start: {
  readonly config: Pick<Config, 'demo' | 'databaseUrl' | 'warnings'>;
  /** What the logins that serve may do beyond requests. */
  readonly loginFaults: readonly LoginFault[];
  readonly hasDemo: boolean;
}): string[] {
  const { config, loginFaults, hasDemo } = start;
  const remarks = [...config.warnings, ...loginRemarks(loginFaults)];
  if (config.demo && !hasDemo) {
    remarks.push(
      config.databaseUrl === null
        ? 'DEMO=on is left aside: it fills an embedded database without users, and this one has some. Set DATA_DIR to ' +
            'another folder to get the demo there.'
        : 'DEMO=on is left aside: it is for the embedded database, and DATABASE_URL is set. Unset one of the two.',
    );
  }
  return remarks;
}

/** Returns one remark for each login: of the login with the most dangerous right it has. */
function loginRemarks(faults: readonly LoginFault[]): string[] {
  return [...new Set(faults.map(({ login }) => login))].flatMap((login) => {
    const own = faults.filter((fault) => fault.login === login);
    const above = own.find(({ kind }) => kind === 'above_policies');
    if (above !== undefined) {
      return [
        `The server logs in as ${login}, which ${above.text}. A statement injected into a request could read the data of ` +
          'every tracker, and a superuser also the files of that machine. Serve with a login that has no rights of its own: ' +
          'set DATABASE_URL (and DATABASE_REPLICA_URL) to it, and DATABASE_OWNER_URL to the owner of the tables. ' +
          'docs/operations.md shows the SQL.',
      ];
    }
    if (!own.some(({ kind }) => kind === 'owner')) return [];
    return [
      `The server logs in as ${login}, which owns the tables and so could change their policies. It is safer to serve with ` +
        `a login of its own in DATABASE_URL and to set DATABASE_OWNER_URL to ${login}; docs/operations.md shows the SQL.`,
    ];
  });
}
