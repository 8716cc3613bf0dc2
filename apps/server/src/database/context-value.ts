/**
 * A value of the transaction's context, which the authenticating statement sets. It stands in the text of a statement where a
 * parameter would, so that the statement can be sent before the value is known here.
 */
export class ContextValue {
  readonly sql: string;

  constructor(setting: string) {
    // A setting that was set in an earlier transaction reads '' and not null.
    this.sql = `(nullif(current_setting('${setting}', true), '')::uuid)`;
  }
}

export const currentTrackerId = new ContextValue('app.tracker_id');
export const currentUserId = new ContextValue('app.user_id');
