/**
 * nginx over a folder `www`, with `private` behind a password (ada, secret), git repositories under `/git`, and `/ada/`
 * of the server behind it, where calendars are.
 */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Certificate, makeCertificate } from "./certificates.ts"
import { freePort, run, type Running, start, started, temporaryFolder } from "./programs.ts"

export const LOGIN = { username: "ada", password: "secret" }

const configuration = (
  folder: string,
  port: number,
  tlsPort: number,
  { certificate, key }: Certificate,
  behind: number
) => `
daemon off; master_process off; pid ${folder}/pid; error_log stderr; worker_processes 1;
events { worker_connections 64; }
http {
  access_log off;
  client_body_temp_path ${folder}/t1; proxy_temp_path ${folder}/t2; fastcgi_temp_path ${folder}/t3;
  uwsgi_temp_path ${folder}/t4; scgi_temp_path ${folder}/t5;
  types { application/rss+xml rss; application/atom+xml atom; application/feed+json json; }
  server {
    listen 127.0.0.1:${port};
    listen 127.0.0.1:${tlsPort} ssl;
    ssl_certificate ${certificate}; ssl_certificate_key ${key};
    root ${folder}/www;
    gzip on; gzip_types *; gzip_min_length 1;
    location /private/ { auth_basic feeds; auth_basic_user_file ${folder}/users; }
    location /ada/ { proxy_pass http://127.0.0.1:${behind}; }
    location = /.well-known/caldav { return 301 /ada/; }
    location = /busy { add_header Retry-After 120 always; return 503; }
    location = /gone { return 410; }
    location = /moved { return 301 /feed.rss; }
    location = /inward { return 302 http://127.0.0.2:${port}/feed.rss; }
    location = /mapped { return 302 http://[::ffff:127.0.0.1]:${port}/feed.rss; }
    location = /metadata { return 302 http://169.254.169.254/latest/meta-data/; }
    location = /decimal { return 302 http://2130706434:${port}/feed.rss; }
    location = /octal { return 302 http://0177.0.0.2:${port}/feed.rss; }
    location = /file { return 302 file:///etc/passwd; }
    location ~ ^/git(-private)?/ {
      set $realm off;
      if ($uri ~ ^/git-private/) { set $realm repositories; }
      auth_basic $realm; auth_basic_user_file ${folder}/users;
      rewrite ^/git-private(/.*)$ /git$1 break;
      fastcgi_pass unix:${folder}/cgi;
      fastcgi_param SCRIPT_FILENAME /usr/lib/git-core/git-http-backend;
      fastcgi_param GIT_HTTP_EXPORT_ALL ""; fastcgi_param GIT_PROJECT_ROOT ${folder};
      fastcgi_param PATH_INFO $uri; fastcgi_param QUERY_STRING $query_string;
      fastcgi_param REQUEST_METHOD $request_method; fastcgi_param CONTENT_TYPE $content_type;
      fastcgi_param CONTENT_LENGTH $content_length; fastcgi_param HTTP_CONTENT_ENCODING $http_content_encoding;
      fastcgi_param GIT_PROTOCOL $http_git_protocol; fastcgi_param GIT_CONFIG_GLOBAL ${folder}/gitconfig;
    }
  }
}`

export const startNginx = async (
  behind = 9
): Promise<Running & { readonly tlsPort: number; readonly issued: Certificate }> => {
  const folder = temporaryFolder()
  const port = await freePort()
  const tlsPort = await freePort()
  const issued = makeCertificate(folder)
  for (const name of ["www/private", "git"]) mkdirSync(join(folder, name), { recursive: true })
  writeFileSync(join(folder, "users"), `ada:${run("openssl", ["passwd", "-apr1", "secret"]).trim()}\n`)
  writeFileSync(join(folder, "gitconfig"), "[safe]\n\tdirectory = *\n")
  writeFileSync(join(folder, "nginx.conf"), configuration(folder, port, tlsPort, issued, behind))
  const cgi = start("fcgiwrap", ["-s", `unix:${join(folder, "cgi")}`])
  const nginx = await started(start("nginx", ["-p", folder, "-c", join(folder, "nginx.conf")]), port, folder)
  return {
    ...nginx,
    tlsPort,
    issued,
    stop: async () => {
      cgi.kill()
      await nginx.stop()
    }
  }
}
