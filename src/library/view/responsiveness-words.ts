import type { Static } from 'typebox';
import { upperFirst } from '../../platform/first-letter.ts';
import type { responsivenessSchema } from '../model/responsiveness.ts';

/** Rejection codes in the words that follow “because”. */
const rejections: Readonly<Record<string, string>> = {
  'no-capacity': 'it is full',
  'not-eligible': 'it is not for the person',
  'out-of-area': 'the person lives outside its area',
  'failed-contact': 'the person could not be contacted',
  'missing-information': 'something that it needs to know is missing',
  'unsuitable-time': 'its days or times do not suit the person',
  transport: 'the person cannot get there',
  'client-declined': 'the person does not want it',
};

export function answerTimeInWords(days: number): string {
  return days <= 1 ? 'a day' : `${Math.ceil(days)} days`;
}

export function shareInWords(share: number): string {
  return `${Math.round(share * 100)}%`;
}

/** “Usually within 3 days; accepts about 85% of referrals”, and more in `text`; undefined if too little is known. */
export function responsivenessInWords(
  responsiveness: Static<typeof responsivenessSchema> | undefined,
): { short: string | undefined; text: string } | undefined {
  const {
    median_days: days,
    share_accepted: share,
    referrals_90_days: count,
    commonest_rejection,
  } = responsiveness ?? {};
  const because = rejections[commonest_rejection ?? ''];
  const toChooseBy = [
    days === undefined ? '' : `usually within ${answerTimeInWords(days)}`,
    share === undefined ? '' : `accepts about ${shareInWords(share)} of referrals`,
  ];
  const more = [
    because === undefined ? '' : `most often declines because ${because}`,
    count === undefined ? '' : `${count} referrals in the last 90 days`,
  ];
  const text = sentenceOf([...toChooseBy, ...more]);
  return text === undefined ? undefined : { short: sentenceOf(toChooseBy), text };
}

function sentenceOf(parts: readonly string[]): string | undefined {
  return upperFirst(parts.filter(Boolean).join('; ')) || undefined;
}
