import type { Caller } from '../../../accounts/index.ts';
import { siteActor } from '../../../audit/index.ts';

/** Who wrote a message or attached a file. The names stay as they were then. */
export type Author = {
  authorId: string;
  authorName: string;
  authorOrganisation: string | null;
  authorOrganisationId: string | null;
};

/** Where tables keep their author. */
export const authorColumns = [
  'author_id as authorId',
  'author_name as authorName',
  'author_organisation as authorOrganisation',
  'author_organisation_id as authorOrganisationId',
] as const;

export function authorRow({ authorId, authorName, authorOrganisation, authorOrganisationId }: Author) {
  return {
    author_id: authorId,
    author_name: authorName,
    author_organisation: authorOrganisation,
    author_organisation_id: authorOrganisationId,
  };
}

export function authorOf({ accountId, name, organisation }: Caller): Author {
  return {
    authorId: accountId,
    authorName: name,
    authorOrganisation: organisation?.name ?? null,
    authorOrganisationId: organisation?.id ?? null,
  };
}

export function presentAuthor({
  authorName,
  authorOrganisation,
}: Pick<Author, 'authorName' | 'authorOrganisation'>) {
  return { name: authorName, organisation: authorOrganisation };
}

/** Who changed a referral, for its history. The names stay as they were then. */
export type HistoryActor = {
  id: string | null;
  name: string;
  organisation: string | null;
  organisationId: string | null;
};

export function historyActorOf({ accountId, name, organisation }: Caller): HistoryActor {
  return {
    id: accountId,
    name,
    organisation: organisation?.name ?? null,
    organisationId: organisation?.id ?? null,
  };
}

/** Neither the simulator nor somebody who answers by a link has an account, and what is written must name an author. */
export const nobody = '00000000-0000-0000-0000-000000000000';

export const siteAsHistoryActor: HistoryActor = {
  id: null,
  name: siteActor.name,
  organisation: null,
  organisationId: null,
};
