export interface ServerAddress {
  host: string;
  port: number;
  /** TLS from the first byte, or after STARTTLS, without which nothing is said; in the clear on this very machine alone. */
  security: 'tls' | 'starttls' | 'plain';
}

const ADDRESS = /^(?:(imaps?|smtps?):\/\/)?(?:\[([^\]]+)\]|([^:/]+)):(\d{1,5})$/i;
const LOOPBACK = /^(127\.\d+\.\d+\.\d+|localhost|::1)$/;
const TLS_PORTS = new Set([993, 465]);

/**
 * host:port, with imaps:// or smtps:// where a port that is not known for it speaks TLS from the first byte. Whoever
 * names an authority wants TLS on this machine, too.
 */
export function serverAt(address: string, ca?: string): ServerAddress {
  const [, scheme, bracketed, plainHost, digits] = ADDRESS.exec(address) ?? [];
  const host = bracketed ?? plainHost;
  if (host === undefined) throw new Error('a mail server is named by host:port');
  const port = Number(digits);
  if (scheme === undefined ? TLS_PORTS.has(port) : scheme.toLowerCase().endsWith('s')) {
    return { host, port, security: 'tls' };
  }
  return { host, port, security: !ca && LOOPBACK.test(host) ? 'plain' : 'starttls' };
}

/** Whether it says, by its scheme or its port, when TLS begins. */
export function isExplicit(address: string): boolean {
  const [, scheme, , , port] = ADDRESS.exec(address) ?? [];
  return scheme !== undefined || TLS_PORTS.has(Number(port));
}
