import { remoteWays, wayNames } from '../../filter/offers.ts';
import { weekRows } from './week-rows.ts';

/** Labels of the form's fields, in their order. */
export const labels: Readonly<Record<string, string>> = {
  organisation: 'Organisation that runs it',
  name: 'Name of the service',
  alternate_name: 'Other name or short description',
  status: 'Is it running?',
  description: 'What it does',
  alert: 'Notice',
  terms: 'What it is about',
  minimum_age: 'Youngest age',
  maximum_age: 'Oldest age',
  eligibility_description: 'Who it is for',
  application_process: 'How to join',
  wait_time: 'Waiting time',
  fees_description: 'Cost',
  cost_options: 'Prices',
  required_documents: 'Documents to bring',
  service_areas: 'Area it covers',
  languages: 'Languages besides English',
  interpretation_services: 'Interpreters and British Sign Language',
  phone: 'Telephone number',
  email: 'Email address',
  url: 'Web address',
  ...Object.fromEntries(
    weekRows.flatMap(({ key, dayName }) => [
      [`opens_${key}`, `${dayName}, opening`],
      [`closes_${key}`, `${dayName}, closing`],
    ]),
  ),
  address_1: 'Building and street',
  address_2: 'Address line 2',
  city: 'Town or city',
  state_province: 'County',
  postal_code: 'Postcode',
  accessibility: 'Access to this place',
  other_places: 'Other places',
  remote_ways: 'How else people are seen',
};

export const statusChoices = [
  { value: 'active', text: 'Yes' },
  { value: 'temporarily closed', text: 'No, closed for the time being' },
  { value: 'inactive', text: 'No, not running at present' },
  { value: 'defunct', text: 'No, it has ended' },
];

export const remoteWayChoices = remoteWays.map((value) => ({ value, text: wayNames[value] }));
