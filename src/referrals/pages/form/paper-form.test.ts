import { afterAll, describe, expect, it } from 'vitest';
import { makeApp } from '../../../../test/app/make-app.ts';
import { signedInBrowser } from '../../../../test/people/signed-in-browser.ts';

const site = await makeApp({
  env: {
    ONWARD_SAFEGUARDING_CONTACT: 'Safeguarding, 01432 000 001',
    ONWARD_CLINICAL_SAFETY_CONTACT: 'safety@example.org',
    ONWARD_OPERATOR_CONTACT: 'Asha Patel, 01632 960001',
  },
});
afterAll(site.close);

describe('the paper form', () => {
  it('asks all that a referral requires, with whom to call', async () => {
    const referrer = await signedInBrowser(site);
    const { status, page } = await referrer.open('/paper-form');
    expect(status).toBe(200);
    const form = page.querySelector('.onward-paper')!.structuredText;
    const asked = [
      'Taken on',
      'Taken by',
      'First name',
      'Last name',
      'Date of birth',
      'Address and postcode',
    ];
    const further = ['at risk of serious harm', 'Service', 'Why you are referring', 'agrees to be referred'];
    const safe = ['GP practice be told', 'Is that safe?', 'Who must not know', 'How urgent is it?'];
    const boxes = [
      'In person',
      'do not show it online',
      'Tell the practice this too?',
      'told who the carer is?',
    ];
    const numbers = ['999', '111', 'Safeguarding, 01432 000 001', 'Asha Patel', 'safety@example.org'];
    for (const each of [...asked, ...further, ...safe, ...boxes, ...numbers]) expect(form).toContain(each);
    expect((await site.app.inject('/paper-form')).statusCode).not.toBe(200);
  });
});
