/** One column of a table, or one line of a record's sheet. */
export interface Column<Row> {
  readonly header: string;
  readonly align?: 'right';
  /** May be cut on a narrow terminal; ids and amounts never are. */
  readonly flexible?: true;
  /** Gets the room that is left: cut after the other flexible columns, and no shorter than it must be. */
  readonly roomy?: true;
  /**
   * Left out where the terminal has no room, from the right: `true` as soon as cells would become short, `last` only where
   * short cells do not fit either. The other formats have it.
   */
  readonly droppable?: true | 'last';
  value(row: Row): string | null;
}

/** How a noun is shown: to people as `columns`, in CSV as the API's own `fields`, nested ones as JSON. */
export interface RecordView<Row> {
  readonly columns: readonly Column<Row>[];
  readonly fields: readonly (keyof Row & string)[];
}
