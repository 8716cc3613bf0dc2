/** The data of a response as finished JSON text. The response contains this text unchanged. For the reason, see `toMovementsJson`. */
export class WrittenJson<Data> {
  readonly text: string;
  /** Declares the type of the data that the text represents, for the compiler only. This property is never set. */
  declare readonly data: Data;

  constructor(text: string) {
    this.text = text;
  }
}
