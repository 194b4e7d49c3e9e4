import { dayCodes } from '../../../library/index.ts';
import { splitAtCommas } from '../check/text-lists.ts';
import type { TableName } from './tables.ts';

export type Row = Record<string, string>;
export type StagedRow = { table: TableName; row: Record<string, unknown> };

type Upgrade = (row: Row, columns: readonly string[]) => StagedRow | StagedRow[];

const stagedRow = (table: TableName, row: Record<string, unknown>): StagedRow => ({ table, row });
const text = (...parts: (string | undefined)[]) => parts.filter(Boolean).join(', ');

/** Gives a field its present name, unless the row has that field already. */
function renameField(row: Row, was: string, is: string): Row {
  const { [was]: value, ...rest } = row;
  return value === undefined ? row : { ...rest, ...(rest[is] === undefined && { [is]: value }) };
}

function renameFields(row: Row, names: Readonly<Record<string, string>>): Row {
  return Object.entries(names).reduce((result, [was, is]) => renameField(result, was, is), row);
}

/** Names of fields in HSDS before 3.0, and in Ohana's spreadsheets, on which HSDS is based, with today's names. */
const olderServiceFields = {
  accrediations: 'accreditations',
  website: 'url',
  eligibility: 'eligibility_description',
  funding_sources: 'funding',
  accepted_payments: 'payments_accepted',
};

const isTrue = (value: string | undefined) => /^(true|t|yes|y|1)$/i.test(value ?? '');

/** Version 3.0 requires a description; older ones did not. */
const term = (row: Row) => stagedRow('taxonomy_term', { description: '', ...row });

/** Reads a number, where 1 is Monday as in ISO 8601, or a name. */
function dayOf(weekday: string): string {
  if (/^[1-7]$/.test(weekday)) return dayCodes[Number(weekday) - 1]!;
  return dayCodes.find((day) => weekday.toUpperCase().startsWith(day)) ?? weekday;
}

function address(type: string): Upgrade {
  return ({ address_2, address_3, address_4, ...row }) => {
    const second = text(address_2, address_3, address_4);
    return stagedRow('address', { ...row, ...(second && { address_2: second }), address_type: type });
  };
}

/**
 * Turns tables and fields of HSDS 1.0 to 2.0 into those of 3.0. Fields unknown to 3.0 keep their names.
 * (https://docs.openreferral.org/en/latest/hsds/changelog.html)
 */
export const upgrades: Readonly<Record<string, Upgrade>> = {
  organization: (row) => {
    const { date_incorporated, ...renamed } = renameFields(row, {
      url: 'website',
      funding_sources: 'funding',
    });
    // HSDS had the date of incorporation until 2.0, and has had its year since.
    const year = /^\d{4}/.exec(renamed.year_incorporated ?? date_incorporated ?? '')?.[0];
    return stagedRow('organization', { ...renamed, ...(year && { year_incorporated: year }) });
  },
  service: (row) => {
    const { taxonomy_ids = '', location_id, ...renamed } = renameFields(row, olderServiceFields);
    const service = {
      ...renamed,
      ...(renamed.fees && { fees_description: renamed.fees_description ?? renamed.fees }),
    };
    // Some services name their location and terms themselves, without a table that joins them.
    const joined = { service_id: row.id, location_id };
    const terms = splitAtCommas(taxonomy_ids).map((taxonomy_term_id) =>
      stagedRow('attribute', { link_id: row.id, link_entity: 'service', taxonomy_term_id }),
    );
    return [
      stagedRow('service', service),
      ...(location_id ? [stagedRow('service_at_location', joined)] : []),
      ...terms,
    ];
  },
  location: (row) => {
    const { virtual, ...renamed } = renameField(row, 'website', 'url');
    return stagedRow('location', {
      ...renamed,
      ...(isTrue(virtual) && { location_type: renamed.location_type ?? 'virtual' }),
    });
  },
  phone: (row) => stagedRow('phone', renameField(row, 'number_type', 'type')),
  service_taxonomy: ({ service_id, taxonomy_id, taxonomy_detail, ...row }) =>
    stagedRow('attribute', {
      ...row,
      link_id: service_id,
      link_entity: 'service',
      taxonomy_term_id: taxonomy_id,
      ...(taxonomy_detail && { value: taxonomy_detail }),
    }),
  service_attribute: ({ service_id, ...row }) =>
    stagedRow('attribute', { ...row, link_id: service_id, link_entity: 'service' }),
  other_attribute: (row) => stagedRow('attribute', renameField(row, 'link_type', 'link_entity')),
  taxonomy: (row, columns) =>
    // Until 1.1 this table held the terms.
    ['parent_id', 'parent_name', 'vocabulary'].some((name) => columns.includes(name))
      ? term(renameFields(row, { vocabulary: 'taxonomy', taxonomy_id: 'id' }))
      : stagedRow('taxonomy', row),
  taxonomy_term: (row) => term(renameField(row, 'term', 'name')),
  physical_address: address('physical'),
  postal_address: address('postal'),
  regular_schedule: ({ weekday, ...row }) =>
    stagedRow('schedule', { ...row, freq: 'WEEKLY', ...(weekday && { byday: dayOf(weekday) }) }),
  holiday_schedule: ({ closed, start_date, end_date, ...row }) =>
    stagedRow('schedule', {
      ...row,
      ...(start_date && { valid_from: start_date }),
      ...(end_date && { valid_to: end_date }),
      description: isTrue(closed) ? 'Closed' : 'Holiday hours',
    }),
  service_area: (row) => stagedRow('service_area', renameField(row, 'service_area', 'name')),
  language: (row) => stagedRow('language', renameField(row, 'language', 'name')),
  accessibility_for_disabilities: (row) =>
    stagedRow('accessibility', renameField(row, 'accessibility', 'description')),
  accessibility: (row) => stagedRow('accessibility', renameField(row, 'accessibility', 'description')),
};
