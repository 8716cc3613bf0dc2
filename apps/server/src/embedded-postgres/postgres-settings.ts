/**
 * Gives the settings of the embedded PostgreSQL as command-line parameters: unlike a file made by initdb, they change with the program.
 *
 * @param durable `false` turns off everything that protects data from a crash of the machine.
 */
export function postgresSettings({ port, durable }: { port: number; durable: boolean }): string[] {
  const settings: Record<string, string> = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    // No socket files: they would be a second door, guarded by the folder's mode instead of the password.
    unix_socket_directories: '',
    password_encryption: 'scram-sha-256',
    max_connections: '100',
    shared_buffers: '128MB',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // `log` hides the errors of single statements: they quote the statement and the row, so amounts would land in a log.
    // The server itself reports those errors in its own words.
    log_min_messages: 'log',
    log_checkpoints: 'off',
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
