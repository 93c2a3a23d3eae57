import { CurlButton } from './copy-text.tsx';
import type { CurlCall } from './curl.ts';
import type { Column } from './data-table.tsx';

/** The last column of rows that offer their call of the API and nothing else. */
export function curlColumn<Item>(apiUrl: CurlCall['apiUrl'], pathOf: (item: Item) => string): Column<Item> {
  return {
    name: 'Actions',
    isNameless: true,
    isAtEnd: true,
    cell: (item) => (
      <span className="row-end">
        <CurlButton apiUrl={apiUrl} path={pathOf(item)} />
      </span>
    ),
  };
}
