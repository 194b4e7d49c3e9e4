import { Type } from 'typebox';
import { openEnum, orNull } from '../../../platform/http/index.ts';
import { pageEndReasons, personAnswers } from './person-page.ts';

const moment = Type.String({ format: 'date-time' });
const momentOrNull = (description: string) => orNull(Type.String({ format: 'date-time', description }));

export const personPageStateSchema = Type.Object(
  {
    send: Type.Boolean({
      description:
        'Whether the link was asked for. With `sent_at` null, none was sent: it may not be safe now. Ask the person how to contact them safely.',
    }),
    sent_at: momentOrNull(
      'When the link was asked for. It is sent unless another record makes it unsafe, which this site does not say: ask the person whether it came.',
    ),
    opened_at: momentOrNull('When somebody first opened it with a code.'),
    ended_at: momentOrNull('When its links were ended.'),
    got_help: orNull(Type.Boolean({ description: 'What the person said last on their page.' })),
    got_help_at: orNull(moment),
    no_longer_wanted_at: momentOrNull(
      'When the person said that they no longer want the referral. Staff contact them to make sure.',
    ),
  },
  {
    title: 'PersonPage',
    description:
      'The person’s own page, and what they said there. Missing if nobody asked whether it is safe.',
  },
);

/** For the copy of a record: every link that was sent. */
export const sentPageSchema = Type.Object({
  sent_at: moment,
  by: Type.Object({ name: Type.String() }),
  email: orNull(Type.String()),
  telephone: Type.Optional(Type.String()),
  opened_at: orNull(moment),
  ended_at: orNull(moment),
  end_reason: orNull(openEnum([...pageEndReasons], { title: 'PersonPageEnd' })),
});

export const personAnswerSchema = Type.Object({
  at: moment,
  answer: openEnum([...personAnswers], { title: 'PersonAnswer' }),
});
