/** Loaded before a program: the packages that are optional are not there. */
import { registerHooks } from "node:module"

registerHooks({
  resolve: (specifier, context, next) => {
    if (!/^@effect\/sql-pg\b/.test(specifier)) return next(specifier, context)
    throw Object.assign(new Error(`Cannot find package '${specifier.split("/", 2).join("/")}' imported from here`), {
      code: "ERR_MODULE_NOT_FOUND"
    })
  }
})
