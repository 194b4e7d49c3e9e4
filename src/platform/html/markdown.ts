import { Marked, Renderer, type RendererObject } from 'marked';

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes text for HTML and SVG, including the values of attributes. */
export const escapeHtml = (text: string) => text.replaceAll(/[&<>"]/g, (character) => entities[character]!);

/** Web pages of this site and others, email addresses and telephone numbers. */
const isSafeLink = (href: string) => /^(https?:\/\/|mailto:|tel:|\/(?!\/)|#)/i.test(href);

const renderer: RendererObject = {
  heading({ depth, tokens }) {
    const level = Math.min(Math.max(depth, 2), 4);
    const size = { 2: 'm', 3: 's', 4: 'xs' }[level];
    return `<h${level} class="nhsuk-heading-${size}">${this.parser.parseInline(tokens)}</h${level}>\n`;
  },
  html: ({ text }) => escapeHtml(text),
  link({ href, tokens }) {
    const words = this.parser.parseInline(tokens);
    return isSafeLink(href) ? `<a href="${escapeHtml(href)}">${words}</a>` : words;
  },
  // A table that is wider than a telephone scrolls within itself.
  table(token) {
    const table = Renderer.prototype.table
      .call(this, token)
      .replace('<table>', '<table class="nhsuk-table">');
    return scrollingBox('Table', table);
  },
  // Nothing is loaded from another site.
  image: ({ text }) => escapeHtml(text),
};

/** What may be wider than a telephone scrolls within itself, and can be reached with the keyboard to do so. */
export function scrollingBox(name: string, inner: string): string {
  return `<div class="onward-scroll" tabindex="0" role="group" aria-label="${name}">${inner}</div>`;
}

const marked = new Marked({ renderer });

/**
 * What an operator wrote in Markdown, as a part of a page below its heading. HTML in it is shown as it was typed, and links
 * lead to web pages, email addresses and telephone numbers only.
 */
export function renderWrittenText(text: string): string {
  return marked.parse(text) as string;
}
