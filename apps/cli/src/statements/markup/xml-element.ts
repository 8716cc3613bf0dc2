import { decodeEntities } from './decode-entities.js';

/** An element of an XML file, with names that have lost their namespace's prefix. */
export interface XmlElement {
  readonly name: string;
  /** As the file spells them; see {@link attributeOf}. */
  readonly attributes: string;
  /** Its own texts one behind the other, without those of its children, entities decoded. */
  readonly text: string;
  readonly children: readonly XmlElement[];
}

/** What stands for an element that is not there. */
export const noElement: XmlElement = { name: '', attributes: '', text: '', children: [] };

/** The children at a path of names: `NtryDtls/TxDtls` are those of every `NtryDtls`. */
export function childrenAt(element: XmlElement, path: string): readonly XmlElement[] {
  const found: XmlElement[] = [];
  visitAt(element, path, (child) => {
    found.push(child);
    return false;
  });
  return found;
}

/** The text at the first of some paths that has one; undefined where none has. */
export function textAt(element: XmlElement, ...paths: readonly string[]): string | undefined {
  let text: string | undefined;
  for (const path of paths) {
    const isFound = visitAt(element, path, (child) => {
      text = textOf(child);
      return text !== undefined;
    });
    if (isFound) return text;
  }
  return undefined;
}

/** An element's own text; undefined where it is blank. */
export function textOf(element: XmlElement): string | undefined {
  const text = element.text.trim();
  return text === '' ? undefined : text;
}

/** The value of an attribute, whatever the prefix of its name. */
export function attributeOf(element: XmlElement, name: string): string | undefined {
  for (const [, found, double, single] of element.attributes.matchAll(attribute)) {
    if (found === name) return decodeEntities(double ?? single ?? '').trim();
  }
  return undefined;
}

const attribute = /(?:[\w.-]+:)?([\w.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** Visits the children at a path in their order, until `visit` says that this is it. A path cut into names once is kept. */
function visitAt(element: XmlElement, path: string, visit: (child: XmlElement) => boolean): boolean {
  const names = namesOf.get(path) ?? path.split('/');
  namesOf.set(path, names);
  return visitLevel(element, { names, level: 0, visit });
}

const namesOf = new Map<string, readonly string[]>();

function visitLevel(
  element: XmlElement,
  search: { names: readonly string[]; level: number; visit: (child: XmlElement) => boolean },
): boolean {
  const { names, level, visit } = search;
  const isLast = level === names.length - 1;
  for (const child of element.children) {
    if (child.name !== names[level]) continue;
    if (isLast ? visit(child) : visitLevel(child, { names, level: level + 1, visit })) return true;
  }
  return false;
}
