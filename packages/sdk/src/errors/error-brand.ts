const brand = Symbol.for('@centavo/sdk/error');

/** The property with the names of an error's classes, from the broadest to the narrowest. */
export type ErrorBrand = readonly string[];

/** Adds a name to all errors of the class, besides those of the classes that it extends. */
export function brandErrors(errorClass: { readonly prototype: object }, name: string): void {
  // Minifiers rename classes, and the inspection of an error shows the name of its class.
  Object.defineProperty(errorClass, 'name', { value: name, configurable: true });
  const inherited = brandsOf(errorClass.prototype);
  Object.defineProperty(errorClass.prototype, brand, { value: [...inherited, name] });
  Object.defineProperty(errorClass.prototype, 'name', { value: name, configurable: true, writable: true });
}

/**
 * Returns whether a value is an error of that name. Compares the brand, because `instanceof` is false for an error of a
 * second copy of the package, such as the CommonJS build beside the ES module.
 */
export function hasErrorBrand(value: unknown, name: string): boolean {
  return typeof value === 'object' && value !== null && brandsOf(value).includes(name);
}

function brandsOf(value: object): ErrorBrand {
  const brands = (value as { readonly [brand]?: unknown })[brand];
  return Array.isArray(brands) ? brands : [];
}
