import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Received {
  host: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export type Answering = (received: Received, response: ServerResponse) => void;

/** A server with TLS on loopback for these host names, and the authority that signed its certificate. */
export async function openReceiver(hosts: readonly string[], first: Answering = ok) {
  const { cert, key } = makeCertificate(hosts);
  const received: Received[] = [];
  let answering = first;
  const server = createServer({ cert, key }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { headers, url = '' } = request;
      const one = { host: headers.host ?? '', path: url, headers, body: Buffer.concat(chunks).toString('utf8') };
      received.push(one);
      answering(one, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    ca: cert,
    port: (server.address() as AddressInfo).port,
    received,
    answer: (next: Answering): void => {
      answering = next;
    },
    close: (): Promise<void> => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

export const ok: Answering = (_received, response) => void response.writeHead(200).end('ok');
export const answerWith =
  (status: number, headers: Record<string, string> = {}): Answering =>
  (_received, response) =>
    void response.writeHead(status, headers).end();

function makeCertificate(hosts: readonly string[]): { cert: string; key: string } {
  const folder = mkdtempSync(join(tmpdir(), 'postroom-receiver-'));
  try {
    const names = hosts.map((host) => `DNS:${host}`).join(',');
    const settings = `[req]\ndistinguished_name=n\nx509_extensions=v\n[n]\n[v]\nsubjectAltName=${names}\nbasicConstraints=critical,CA:TRUE\n`;
    writeFileSync(join(folder, 'settings'), settings);
    const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
    // Two authorities of one name could not both be trusted.
    const subject = `/CN=receiver ${randomUUID()}`;
    const files = ['-config', 'settings', '-keyout', 'key', '-out', 'cert', '-subj', subject];
    execFileSync('openssl', ['req', '-x509', ...kind, ...files], { cwd: folder, stdio: 'pipe' });
    return { cert: readFileSync(join(folder, 'cert'), 'utf8'), key: readFileSync(join(folder, 'key'), 'utf8') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
