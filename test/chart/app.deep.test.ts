import { expect, it } from '@jest/globals';
import { describeChart } from './describe-chart.ts';
import { helmTemplate, render } from './helm.ts';
import { componentOf, environmentOf, type KubernetesObject, ofKind, workloadOf } from './objects.ts';

interface Rules {
  rules: {
    http?: { paths: { path: string; backend: { service: { name: string } } }[] };
    matches?: { path: { value: string } }[];
    backendRefs?: { name: string }[];
  }[];
}

/** Paths of the public address, each with the service that it leads to. */
function ledBy(objects: KubernetesObject[], kind: string) {
  const [{ spec } = { spec: { rules: [] } }] = ofKind(objects, kind);
  const { rules } = spec as unknown as Rules;
  return rules.flatMap(({ http, matches = [], backendRefs = [] }) =>
    http
      ? http.paths.map(({ path, backend }) => [path, backend.service.name])
      : matches.map(({ path }) => [path.value, backendRefs[0]?.name]),
  );
}

describeChart('the app in the chart', () => {
  it('is refused without identity, and without the address that people open', () => {
    const app = 'services.app.enabled=true';
    const url = 'services.app.env.APP_URL=https://mail.example.com';
    const refusalOf = (set: string[]) => helmTemplate({ asDelivered: true, set }).error;
    expect(refusalOf([app, 'services.identity.enabled=true'])).toContain('services.app.env.APP_URL');
    expect(refusalOf([app, url])).toContain('services.identity.enabled=true');
    expect(refusalOf([app, url, 'services.identity.enabled=true'])).toBe('');
  });

  it.each([
    ['Ingress', 'ci/external-engines-values.yaml'],
    ['HTTPRoute', 'ci/gateway-api-values.yaml'],
  ])('is reached at /app by the %s, and knows its address', (kind, file) => {
    const objects = render({ asDelivered: true, values: [file] });
    const led = ledBy(objects, kind);
    expect(led).toEqual([
      ['/app', 'postroom-app'],
      ['/', 'postroom-gateway'],
    ]);
    expect(environmentOf(workloadOf(objects, 'app'))).toMatchObject({
      APP_URL: 'https://mail.example.com',
      API_URL: 'https://mail.example.com/api/v1',
      TRUSTED_PROXIES: '1',
    });
  });
});

describeChart('OAuth in the chart', () => {
  const MCP = 'services.mcp.enabled=true';
  const OAUTH = ['OAUTH_ISSUER', 'MCP_URL'] as const;
  const told = (objects: KubernetesObject[], name: string) => {
    const environment = environmentOf(workloadOf(objects, name));
    return OAUTH.map((variable) => environment[variable]);
  };

  it.each([
    ['Ingress', 'ci/external-engines-values.yaml'],
    ['HTTPRoute', 'ci/gateway-api-values.yaml'],
  ])('is open with app, identity and mcp: the %s leads to it, and both know the addresses', (kind, file) => {
    const objects = render({ asDelivered: true, values: [file], set: [MCP] });
    expect(ledBy(objects, kind)).toEqual(
      expect.arrayContaining([
        ['/oauth', 'postroom-app'],
        ['/.well-known/oauth-authorization-server', 'postroom-app'],
        ['/mcp', 'postroom-mcp'],
        ['/.well-known/oauth-protected-resource', 'postroom-mcp'],
      ]),
    );
    const addresses = ['https://mail.example.com', 'https://mail.example.com/mcp'];
    expect([told(objects, 'identity'), told(objects, 'mcp')]).toEqual([addresses, addresses]);
  });

  it.each([
    ['where mcp.oauth says no', [MCP, 'mcp.oauth=false']],
    ['without the app', [MCP, 'services.app.enabled=false']],
    ['without mcp', []],
  ])('is closed %s', (_where, set) => {
    const objects = render({ asDelivered: true, values: ['ci/external-engines-values.yaml'], set });
    expect(ledBy(objects, 'Ingress').map(([path]) => path)).not.toContain('/oauth');
    expect(told(objects, 'identity')).toEqual([undefined, undefined]);
  });

  it('takes the addresses that are named, where TLS ends elsewhere', () => {
    const set = [MCP, 'services.app.env.APP_URL=https://a.example', 'services.mcp.env.MCP_URL=https://b.example/mcp'];
    const objects = render({
      asDelivered: true,
      set: [...set, 'services.app.enabled=true', 'services.identity.enabled=true'],
    });
    const addresses = ['https://a.example', 'https://b.example/mcp'];
    expect([told(objects, 'identity'), told(objects, 'mcp')]).toEqual([addresses, addresses]);
  });

  it('lets identity out to public addresses for the documents of clients, whatever the provider of sign-in may be', () => {
    const narrow = 'engines.oidc.to[0].ipBlock.cidr=10.1.2.3/32';
    const objects = render({ set: [narrow] });
    const own = ofKind(objects, 'NetworkPolicy').find((policy) => componentOf(policy) === 'identity');
    const https = (own?.spec.egress ?? []).filter(({ ports = [] }) => ports.some(({ port }) => Number(port) === 443));
    const out = JSON.stringify(https);
    expect(out).toContain('0.0.0.0/0');
    expect(out).toContain('10.0.0.0/8');
    expect(https.flatMap(({ ports = [] }) => ports.map(({ port }) => Number(port)))).toEqual([443, 443]);
  });
});
