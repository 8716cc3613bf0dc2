const brand = Symbol.for('@centavo/sdk/error');

/** The names of the errors, from the broadest to the narrowest, that one value is. */
export type ErrorBrand = readonly string[];

/** Gives every error of the class that name, beside those of the classes it extends. */
export function brandErrors(errorClass: { readonly prototype: object }, name: string): void {
  // Bundlers and minifiers rename classes, and an inspected error is headed by its class's name.
  Object.defineProperty(errorClass, 'name', { value: name, configurable: true });
  const inherited = brandsOf(errorClass.prototype);
  Object.defineProperty(errorClass.prototype, brand, { value: [...inherited, name] });
  Object.defineProperty(errorClass.prototype, 'name', { value: name, configurable: true, writable: true });
}

/**
 * Whether a value is an error of that name. It asks for the brand and not with `instanceof`, which says no to an error of
 * a second copy of the package, such as the CommonJS one beside the ES module.
 */
export function hasErrorBrand(value: unknown, name: string): boolean {
  return typeof value === 'object' && value !== null && brandsOf(value).includes(name);
}

function brandsOf(value: object): ErrorBrand {
  const brands = (value as { readonly [brand]?: unknown })[brand];
  return Array.isArray(brands) ? brands : [];
}
