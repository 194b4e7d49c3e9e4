import { describe, expect, it } from 'vitest';
import { makeApp } from '../../test/app/make-app.ts';
import { readSettings } from '../platform/settings/index.ts';

const path = '/.well-known/security.txt';

async function linesWith(env: Record<string, string>) {
  const site = await makeApp({ env });
  const { statusCode, headers, body } = await site.app.inject(path);
  expect([statusCode, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
  const expires = new Date(/^Expires: (.*)$/m.exec(body)![1]!);
  const days = (expires.getTime() - site.clock.now().getTime()) / 86_400_000;
  await site.close();
  expect(days).toBeGreaterThan(30);
  expect(days).toBeLessThan(366);
  return body.split('\n');
}

describe('security.txt', () => {
  it('has the contact of the settings, an end and its own address', async () => {
    const lines = await linesWith({ ONWARD_SECURITY_CONTACT: 'security@example.org' });
    expect(lines).toContain('Contact: mailto:security@example.org');
    expect(lines).toContain('Canonical: http://localhost:8080/.well-known/security.txt');
  });

  it('has a page, the operator’s address or the site as contact', async () => {
    const page = 'https://example.org/report';
    expect(await linesWith({ ONWARD_SECURITY_CONTACT: page })).toContain(`Contact: ${page}`);
    const operator = 'Asha Patel, 01632 960001, help@example.org';
    expect(await linesWith({ ONWARD_OPERATOR_CONTACT: operator })).toContain(
      'Contact: mailto:help@example.org',
    );
    expect(await linesWith({})).toContain('Contact: http://localhost:8080/');
  });

  it.each([
    'nobody',
    'http://example.org/',
    'a@b',
    'x y@example.org',
    'a@example.org?subject=x',
  ])('takes no contact like %s', (contact) => {
    expect(() => readSettings({ ONWARD_SECURITY_CONTACT: contact })).toThrow(
      'ONWARD_SECURITY_CONTACT must be',
    );
  });
});
