import { readXml } from '../markup/read-xml.js';
import { textOf, type XmlElement } from '../markup/xml-element.js';
import { type OfxEvent, recordNames } from './ofx-event.js';

/**
 * Reads OFX 2, which is XML.
 * @throws UsageError (exit 2) for a file that cannot be read or is not well-formed
 */
export async function* readOfxXml(path: string, encoding: string): AsyncGenerator<OfxEvent> {
  for await (const event of readXml(path, { encoding, wholes: recordNames })) {
    if (event.kind !== 'element') yield event;
    else yield { kind: 'record', name: event.name, line: event.line, fields: flatten(event.element) };
  }
}

function flatten(element: XmlElement): Map<string, string> {
  const fields = new Map<string, string>();
  const visit = (at: XmlElement, path: string) => {
    const text = textOf(at);
    if (text !== undefined && !fields.has(path)) fields.set(path, text);
    for (const child of at.children) visit(child, path === '' ? child.name : `${path}.${child.name}`);
  };
  visit(element, '');
  return fields;
}
