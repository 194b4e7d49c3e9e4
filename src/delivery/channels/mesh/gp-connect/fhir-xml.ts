import { DOMImplementation, type Document, type Element, XMLSerializer } from '@xmldom/xmldom';

/** A FHIR resource in its JSON form: `resourceType` and elements. */
export type Resource = { resourceType: string; [element: string]: Value };
type Value = string | boolean | undefined | { [element: string]: Value } | readonly Value[];

const fhir = 'http://hl7.org/fhir';

/** Writes a resource in FHIR's XML form: a value becomes an attribute, a list becomes repeated elements, in this order. */
export function toFhirXml(resource: Resource): string {
  const document = new DOMImplementation().createDocument(fhir, resource.resourceType);
  addElements(document, document.documentElement!, resource);
  const text = new XMLSerializer().serializeToString(document);
  return text.replaceAll(otherLineEnds, (each) => `&#x${each.charCodeAt(0).toString(16)};`);
}

/** Readers of XML 1.1 take these for line ends and turn them into spaces, unless they are written as numbers. */
const otherLineEnds = /[\u0085\u2028]/g;

function addElements(document: Document, parent: Element, elements: { [element: string]: Value }): void {
  for (const [name, value] of Object.entries(elements)) {
    if (name === 'resourceType') continue;
    // The only element that is an attribute in XML.
    if (name === 'url' && parent.localName === 'extension') parent.setAttribute('url', value as string);
    else for (const each of Array.isArray(value) ? value : [value]) addElement(document, parent, name, each);
  }
}

function addElement(document: Document, parent: Element, name: string, value: Value): void {
  if (value === undefined) return;
  const element = document.createElementNS(fhir, name);
  parent.appendChild(element);
  if (typeof value !== 'object') {
    element.setAttribute('value', writable(`${value}`));
    return;
  }
  const { resourceType, ...elements } = value as { resourceType?: string; [element: string]: Value };
  // A resource inside another one has an element with its type around its own elements.
  const holder = resourceType === undefined ? element : document.createElementNS(fhir, resourceType);
  if (holder !== element) element.appendChild(holder);
  addElements(document, holder, elements);
}

/** XML cannot contain these characters. */
const unwritable = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

function writable(text: string): string {
  return text.toWellFormed().replaceAll(unwritable, '\uFFFD');
}
