import type { News } from '../../channel.ts';
import type { Acknowledgement } from './read-acknowledgement.ts';

const wrongPractice = 'it went to the wrong practice. Ask the patient where they are registered';

/** What the codes of ITK3 mean for a delivery. Any that is not here says that the practice's system refused the message. */
const meanings: Readonly<Record<string, Pick<News, 'status' | 'detail'>>> = {
  20013: { status: 'received', detail: 'The practice’s system has the letter.' },
  20007: { status: 'received', detail: 'The practice’s system had the message already.' },
  20008: { status: 'received', detail: 'The practice’s system had the letter already.' },
  30001: { status: 'acknowledged', detail: 'The practice has the letter and knows the patient.' },
  30002: { status: 'failed', detail: `The practice does not know the patient: ${wrongPractice}.` },
  30003: { status: 'failed', detail: `The patient has left that practice: ${wrongPractice}.` },
};

export function newsOf({ about, code }: Acknowledgement): News {
  const known = meanings[code];
  const shown = /^\d{1,8}$/.test(code) ? ` (code ${code})` : '';
  const refused = {
    status: 'failed',
    detail: `The practice’s system could not take the message${shown}.`,
  } as const;
  return { about: { messageId: about }, ...(known ?? refused) };
}
