import type { Attachment } from './attachments-store.ts';
import { presentAuthor } from './author.ts';
import type { Message } from './messages-store.ts';
import type { Opening } from './openings-store.ts';
import type { HistoryLine } from './store.ts';

/** What belongs to a referral, as the API gives it. */

export function presentHistoryLine(line: HistoryLine) {
  const { version, at, actorName, actorOrganisation, from, to, reason } = line;
  const by = { name: actorName, organisation: actorOrganisation };
  return { version, at: at.toISOString(), by, from, to, reason };
}

export function presentMessage({ id, at, side, text, ...author }: Message) {
  return { id, at: at.toISOString(), side, by: presentAuthor(author), text };
}

export function presentAttachment({ id, at, name, mediaType, size, ...author }: Attachment) {
  return { id, at: at.toISOString(), by: presentAuthor(author), name, media_type: mediaType, size };
}

export function presentOpening({ id, at, endsAt, accountName, reason }: Opening) {
  return { id, at: at.toISOString(), ends_at: endsAt.toISOString(), by: { name: accountName }, reason };
}
