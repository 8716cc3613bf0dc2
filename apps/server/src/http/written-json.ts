/** Data that is JSON already: the envelope is put around it as it is. For lists that are asked for often and are long. */
export class WrittenJson<Data> {
  readonly text: string;
  /** Of what it is the JSON; there is nothing in it. */
  declare readonly data: Data;

  constructor(text: string) {
    this.text = text;
  }
}
