import { describe, expect, it } from 'vitest';
import { exampleReferral } from '../../../test/delivery/example-referral.ts';
import { toPractice } from '../../../test/delivery/letters.ts';
import { changesForPractice, changesForService, shownToPractice } from './changes.ts';
import { prepareLetter } from './practice/prepare-letter.ts';

describe('why a correction takes away what protects the person', () => {
  const reason = 'She has left him, and says that we may ring.';
  const changes = [
    { field: 'contact', from: { safe: 'no' }, to: { safe: 'yes' } },
    { field: 'reason', from: null, to: reason },
  ];

  it('is in the letter to the service', () => {
    expect(changesForService({ changes } as never)).toContainEqual(['Why', reason]);
  });

  it('is not in the letter to the practice', () => {
    const facts = changesForPractice(prepareLetter(exampleReferral(), { ...toPractice, changes }));
    expect(JSON.stringify(facts)).not.toContain(reason);
  });
});

describe('a permission beside “not safe”, as older versions stored it', () => {
  it('is not in what has changed', () => {
    const contact = { safe: 'no', voicemail: true };
    const changes = [{ field: 'contact', from: { safe: 'yes', voicemail: true }, to: contact }];
    const letter = prepareLetter(exampleReferral(), { ...toPractice, changes });
    const [[, value]] = changesForPractice(letter) as [[string, string]];
    expect(value).toBe('changed, now: IT IS NOT SAFE TO CONTACT THE PATIENT: ask who referred them.');
    expect(JSON.stringify(changesForService({ changes } as never)).match(/voicemail/g)).toHaveLength(1);
  });
});

describe('what makes a new letter to the practice necessary', () => {
  it('is not the result of a goal alone: the end tells it', () => {
    const shown = (goals: { text: string; result?: 'achieved' }[]) =>
      shownToPractice(exampleReferral({ content: { goals } }));
    expect(shown([{ text: 'Sing.', result: 'achieved' }])).toEqual(shown([{ text: 'Sing.' }]));
    expect(shown([{ text: 'Swim.' }])).not.toEqual(shown([{ text: 'Sing.' }]));
  });

  it('is the email address only where the letter has it', () => {
    const { patient } = exampleReferral().content;
    const shown = (channel: string, email: string) =>
      shownToPractice(
        exampleReferral({ content: { contact: { safe: 'yes', channel }, patient: { ...patient, email } } }),
      );
    expect(shown('email', 'a@example.org')).not.toEqual(shown('email', 'b@example.org'));
    expect(shown('telephone', 'a@example.org')).toEqual(shown('telephone', 'b@example.org'));
  });
});
