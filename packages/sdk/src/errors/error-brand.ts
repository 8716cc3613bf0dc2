const brand = Symbol.for('@centavo/sdk/error');

/** The names of an error's base classes, followed by the name of the error's own class. */
export type ErrorBrand = readonly string[];

/** Gives all errors of a class a brand: a list with the names of the base classes and of the class. */
export function brandErrors(errorClass: { readonly prototype: object }, name: string): void {
  // Logs of an error show the name of its class. A minifier may rename the class, so this line sets the original name.
  Object.defineProperty(errorClass, 'name', { value: name, configurable: true });
  const inherited = brandsOf(errorClass.prototype);
  Object.defineProperty(errorClass.prototype, brand, { value: [...inherited, name] });
  Object.defineProperty(errorClass.prototype, 'name', { value: name, configurable: true, writable: true });
}

/**
 * Returns whether a value is an error of the class with this name, or of a class that extends this class. Searches the class names in the
 * error's brand and does not use `instanceof`, because `instanceof` is false for an error of another copy of the package. A program may
 * load two copies, such as the CommonJS build and the ES module.
 */
export function hasErrorBrand(value: unknown, name: string): boolean {
  return typeof value === 'object' && value !== null && brandsOf(value).includes(name);
}

function brandsOf(value: object): ErrorBrand {
  const brands = (value as { readonly [brand]?: unknown })[brand];
  return Array.isArray(brands) ? brands : [];
}
