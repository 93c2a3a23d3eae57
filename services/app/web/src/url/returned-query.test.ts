import { expect, it } from '@jest/globals';
import { keepReturnedQuery, takeReturnedQuery } from './returned-query.ts';

/** The paths that replace the address of a page. */
function addressesAfter(pathname: string, search: string): string[] {
  const addresses: string[] = [];
  const history = { replaceState: (_data: unknown, _title: string, url: string) => addresses.push(url) };
  keepReturnedQuery({ location: { pathname, search }, history } as unknown as Window);
  return addresses;
}

it('takes the answer of a provider out of the address, and hands it over once', () => {
  expect(addressesAfter('/app/mailboxes/consent/gmail', '?code=c&state=s')).toEqual(['/app/mailboxes/consent/gmail']);
  expect([takeReturnedQuery(), takeReturnedQuery()]).toEqual(['?code=c&state=s', null]);
});

it('leaves the queries of other pages', () => {
  expect(addressesAfter('/app/mailboxes', '?dialog=connect')).toEqual([]);
  expect(takeReturnedQuery()).toBeNull();
});
