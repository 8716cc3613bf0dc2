/** Data that is already JSON text; the envelope contains it unchanged. For the reason, see `toMovementsJson`. */
export class WrittenJson<Data> {
  readonly text: string;
  /** The type of the data. This property is never set. */
  declare readonly data: Data;

  constructor(text: string) {
    this.text = text;
  }
}
