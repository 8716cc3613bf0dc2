import { decodeEntities } from './decode-entities.js';

/** An element as fast-xml-parser gives it here: children always in lists, `#text` the text, `@name` an attribute. */
export interface XmlElement {
  readonly [name: string]: readonly XmlElement[] | string | undefined;
}

/** The children at a path of names: `NtryDtls/TxDtls` are those of every `NtryDtls`. */
export function childrenAt(element: XmlElement, path: string): readonly XmlElement[] {
  return path
    .split('/')
    .reduce<readonly XmlElement[]>((found, name) => found.flatMap((one) => childrenOf(one, name)), [element]);
}

/** The text at the first of some paths that has one; undefined where none has. */
export function textAt(element: XmlElement, ...paths: readonly string[]): string | undefined {
  for (const path of paths) {
    for (const child of childrenAt(element, path)) {
      const text = textOf(child);
      if (text !== undefined) return text;
    }
  }
  return undefined;
}

/** An element's own text, decoded; undefined where it is blank. */
export function textOf(element: XmlElement): string | undefined {
  const text = typeof element['#text'] === 'string' ? decodeEntities(element['#text']).trim() : '';
  return text === '' ? undefined : text;
}

export function attributeOf(element: XmlElement, name: string): string | undefined {
  const value = element[`@${name}`];
  return typeof value === 'string' ? value.trim() : undefined;
}

function childrenOf(element: XmlElement, name: string): readonly XmlElement[] {
  const children = element[name];
  return Array.isArray(children) ? children : [];
}
