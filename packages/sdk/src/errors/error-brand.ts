const brand = Symbol.for('@centavo/sdk/error');

/** The names of an error's classes, from the base class to the most specific class. */
export type ErrorBrand = readonly string[];

/** Brands all errors of a class with its name and the names of its base classes. */
export function brandErrors(errorClass: { readonly prototype: object }, name: string): void {
  // Logs of an error show the name of its class. A minifier may rename the class, so its original name is set here.
  Object.defineProperty(errorClass, 'name', { value: name, configurable: true });
  const inherited = brandsOf(errorClass.prototype);
  Object.defineProperty(errorClass.prototype, brand, { value: [...inherited, name] });
  Object.defineProperty(errorClass.prototype, 'name', { value: name, configurable: true, writable: true });
}

/**
 * Returns whether a value is an error of the class with this name, or of a class that extends it. Compares the brand, because a program
 * may load two copies of the package, such as the CommonJS build and the ES module. For an error of the other copy, `instanceof` is false.
 */
export function hasErrorBrand(value: unknown, name: string): boolean {
  return typeof value === 'object' && value !== null && brandsOf(value).includes(name);
}

function brandsOf(value: object): ErrorBrand {
  const brands = (value as { readonly [brand]?: unknown })[brand];
  return Array.isArray(brands) ? brands : [];
}
