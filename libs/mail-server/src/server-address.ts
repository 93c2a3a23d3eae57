interface ServerAddress {
  host: string;
  port: number;
  /** TLS from the first byte, or required STARTTLS. Without TLS only on this machine. */
  security: 'tls' | 'starttls' | 'plain';
}

const ADDRESS = /^(?:(imaps?|smtps?):\/\/)?(?:\[([^\]]+)\]|([^:/]+)):(\d{1,5})$/i;
const LOOPBACK = /^(127\.\d+\.\d+\.\d+|localhost|::1)$/;
const TLS_PORTS = new Set([993, 465]);

/**
 * host:port, with imaps:// or smtps:// when TLS begins with the first byte on a port that is not known for it. A given
 * authority requires TLS on this machine, too.
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

/** Whether its scheme or its port tells when TLS begins. */
export function isExplicit(address: string): boolean {
  const [, scheme, , , port] = ADDRESS.exec(address) ?? [];
  return scheme !== undefined || TLS_PORTS.has(Number(port));
}
