/** Data that is already JSON text; the envelope is put around it unchanged. `movements-json.ts` writes it and has its figure. */
export class WrittenJson<Data> {
  readonly text: string;
  /** The type of the data. This property is never set. */
  declare readonly data: Data;

  constructor(text: string) {
    this.text = text;
  }
}
