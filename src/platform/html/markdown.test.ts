import fc from 'fast-check';
import { parse } from 'node-html-parser';
import { describe, expect, it } from 'vitest';
import { renderWrittenText } from './markdown.ts';

describe('what an operator wrote in Markdown', () => {
  it('has headings, lists and links', () => {
    const html = renderWrittenText('# Who we are\n\n- Ring [us](tel:01432260000)\n- **Or** write');
    expect(html).toContain('<h2 class="nhsuk-heading-m">Who we are</h2>');
    expect(html).toContain('<a href="tel:01432260000">us</a>');
  });

  it('has no HTML, script or image of its own', () => {
    const html = renderWrittenText(
      '<script>alert(1)</script>\n\n[a](javascript:alert(1)) [b](//evil.example) ![c](https://evil.example/x.png) <b onclick=x>d</b>',
    );
    expect(parse(html).querySelectorAll('script, a, img, b')).toEqual([]);
  });

  it('is safe whatever was written', () => {
    const part = fc.constantFrom(
      '[',
      ']',
      '(',
      ')',
      '<',
      '>',
      '"',
      "'",
      '&',
      '`',
      '!',
      'javascript:',
      'a',
      '\n',
      ' ',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
        const elements = parse(renderWrittenText(parts.join(''))).querySelectorAll('*');
        for (const { tagName, attributes } of elements) {
          expect(['SCRIPT', 'IMG', 'IFRAME', 'STYLE']).not.toContain(tagName);
          expect(
            Object.keys(attributes).filter(
              (name) => !['href', 'class', 'align', 'tabindex', 'role', 'aria-label'].includes(name),
            ),
          ).toEqual([]);
          if (attributes.href) expect(attributes.href).not.toMatch(/^\s*javascript:/i);
        }
      }),
    );
  });
});
