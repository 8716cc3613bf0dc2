/**
 * A value of the transaction's context, which the authenticating statement sets. Its SQL replaces a parameter in the text of a
 * statement, so that the statement can be sent before this process knows the value.
 */
export class ContextValue {
  readonly sql: string;

  constructor(setting: string) {
    // PostgreSQL returns '' instead of null if an earlier transaction of the connection has set the setting.
    this.sql = `(nullif(current_setting('${setting}', true), '')::uuid)`;
  }
}

export const currentTrackerId = new ContextValue('app.tracker_id');
export const currentUserId = new ContextValue('app.user_id');
