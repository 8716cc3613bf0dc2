/** The categories that a file names; one with more is no file of categories, and its names must not fill the memory. */
export class CategoryNames {
  readonly #names = new Set<string>();

  get names(): ReadonlySet<string> {
    return this.#names;
  }

  see(name: string): void {
    if (name !== '' && this.#names.size < namesMax) this.#names.add(name);
  }
}

const namesMax = 1000;
