import { Marked, Renderer, type RendererObject } from 'marked';

export type Section = { id: string; text: string };

/**
 * A document of docs/ as a page's content, in NHS.UK's classes, and its sections. What may be wider than a telephone (code
 * and tables) scrolls within itself, and can be reached with the keyboard to do so.
 */
export function renderMarkdown(text: string): { html: string; sections: Section[] } {
  const sections: Section[] = [];
  let examples = 0;
  const renderer: RendererObject = {
    heading({ depth, tokens, text: words }) {
      const inner = this.parser.parseInline(tokens);
      if (depth !== 2)
        return `<h${depth} class="nhsuk-heading-${depth === 1 ? 'l' : 's'}">${inner}</h${depth}>`;
      const id = words.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
      sections.push({ id, text: words });
      return `<h2 class="nhsuk-heading-m" id="${id}">${inner}</h2>`;
    },
    code(token) {
      examples += 1;
      return scrolling(`Example ${examples}`, Renderer.prototype.code.call(this, token));
    },
    table(token) {
      // A corner without words heads nothing.
      const table = Renderer.prototype.table.call(this, token).replace('<th></th>', '<td></td>');
      const name = sections.at(-1)?.text ?? 'Table';
      return scrolling(name, table.replace('<table>', '<table class="nhsuk-table nhsuk-body-s">'));
    },
  };
  const html = new Marked({ renderer }).parse(text) as string;
  return { html, sections };
}

function scrolling(name: string, inner: string): string {
  return `<div class="onward-scroll" tabindex="0" role="group" aria-label="${name}">${inner}</div>`;
}
