import type { ServerResponse } from 'node:http';
import type { Ids } from '@postroom/runtime/ids';
import { page } from './html.ts';

interface Html {
  status: number;
  /** Makes the page, whose style has this nonce. */
  html(nonce: string): string;
  /** The form of the page, and the redirects that follow it, may go to these addresses alone. */
  formTargets: string;
}

/** Nothing runs on the page, nothing is loaded into it, and no other page can frame it. */
export function showHtml(response: ServerResponse, ids: Ids, { status, html, formTargets }: Html): void {
  const nonce = ids('nonce');
  const policy = [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    `form-action ${formTargets}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy.join('; '),
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    // With no-referrer, browsers would send the form with the origin null.
    'referrer-policy': 'same-origin',
    'cache-control': 'no-store',
  });
  response.end(html(nonce));
}

export function refuseInWords(response: ServerResponse, ids: Ids, status: number, sentence: string): void {
  const html = (nonce: string) =>
    page(
      'Not possible',
      `<h1>This is not possible</h1><p>${sentence} Go back to your client and begin again.</p>`,
      nonce,
    );
  showHtml(response, ids, { status, html, formTargets: "'none'" });
}
